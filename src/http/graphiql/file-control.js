import { filePaths, filePlaceholder } from './upload.js';

/** The control below the editors. It is shown while the variables of the tab have a place for a file. */
const control = document.querySelector('#file-control');
const input = control.querySelector('input');
const place = control.querySelector('code');

/** The chosen file; undefined when there is none. */
export function chosenFile() {
  return input.files[0];
}

export function focusFileControl() {
  input.focus();
}

/** `text`: the variables as they are typed. Shows the place that the file fills. */
export function showPlaceOfFile(text) {
  control.hidden = !text?.includes(`"${filePlaceholder}"`);
  place.textContent = control.hidden ? '' : placesIn(text);
}

/** Such as `input.file`. A text that is half-typed or has comments cannot be read: then the placeholder itself. */
function placesIn(text) {
  try {
    return filePaths(JSON.parse(text))
      .map((path) => path.slice('variables.'.length))
      .join(', ');
  } catch {
    return filePlaceholder;
  }
}
