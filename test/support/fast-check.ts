/** fast-check with one seed for all properties, so that each run tries the same values. FOLIO_SEED tries others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FOLIO_SEED'] ?? 20_310_409) });

export { fc };
