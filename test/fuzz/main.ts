/** `npm run fuzz -- <seconds> [seed]`: prints what was found, and exits with 1 when it is anything. */
import { fuzz } from './fuzz.ts';

const [seconds = '60', seed = String(Date.now())] = process.argv.slice(2);
console.log(`seed ${seed}`);
const end = performance.now() + Number(seconds) * 1_000;
const result = await fuzz(() => performance.now() > end, Number(seed));
console.log(result);
process.exit(result.findings.length > 0 ? 1 : 0);
