import { type Ref, useImperativeHandle, useRef } from 'react';
import { offsetOf, type XmlPosition } from './xml-position.ts';

export interface XmlEditorHandle {
  /** Moves the caret to the position and scrolls its line into view. */
  goTo(position: XmlPosition): void;
}

interface XmlEditorProps {
  readonly ref: Ref<XmlEditorHandle>;
  readonly xml: string;
  /** Starts at 1; null: none. */
  readonly badLine: number | null;
  onChange(xml: string): void;
}

/** Number of lines that stay visible above the line of the caret. */
const linesAbove = 6;

export function XmlEditor({ ref, xml, badLine, onChange }: XmlEditorProps) {
  const gutter = useRef<HTMLOListElement>(null);
  const editor = useRef<HTMLTextAreaElement>(null);
  const lineCount = xml.split('\n').length;

  useImperativeHandle(ref, () => ({
    goTo(position) {
      if (editor.current === null) return;
      const offset = offsetOf(xml, position);
      const lineHeight = Number.parseFloat(getComputedStyle(editor.current).lineHeight);
      editor.current.focus();
      editor.current.setSelectionRange(offset, Math.min(xml.length, offset + 1));
      editor.current.scrollTop = Math.max(0, position.line - 1 - linesAbove) * lineHeight;
    },
  }));

  return (
    <div className="xml-editor">
      <ol ref={gutter} className="xml-lines mono" aria-hidden="true">
        {Array.from({ length: lineCount }, (_, index) => index + 1).map((line) => (
          <li key={line} className={line === badLine ? 'xml-line-bad' : undefined}>
            {line}
          </li>
        ))}
      </ol>
      <textarea
        ref={editor}
        className="mono"
        aria-label="XML"
        value={xml}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        placeholder={'<?xml version="1.0" encoding="UTF-8"?>\n<EInvoice>…</EInvoice>'}
        aria-invalid={badLine !== null}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}
