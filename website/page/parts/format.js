// Numbers as the command line writes them: three digits, a unit that fits, a thin space in between.

export const SPACE = "\u202f"; // between a number and its unit
export const SECONDS = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];
const BYTES = [
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "B"],
];

/** Three significant digits, as people write them: 1,240; 54.1; 0.00352; 2.1e-9. */
export function digits(value, significant = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e9) return value.toExponential(significant - 1).replace("e+", "e");
  const rounded = Number(value.toPrecision(significant)); // by its binary value, as Python does
  return rounded.toLocaleString("en", { minimumSignificantDigits: significant, maximumSignificantDigits: significant });
}

export function seconds(value) {
  return scaled(value, SECONDS, "s");
}

export function bytes(value) {
  return value < 0 ? `−${bytes(-value)}` : scaled(value, BYTES, "B");
}

/** A count of points, rows, calls: exact, with commas. */
export function whole(value) {
  return Number(value).toLocaleString("en", { maximumFractionDigits: 0 });
}

/** "1,000 samples", "1 sample", "1 process", "the number 3" */
export function counted(number, words) {
  if (words === "number") return `the number ${whole(number)}`; // it is no amount
  return `${whole(number)} ${Number(number) === 1 ? words.replace(/(?<=ss)es$|s$/, "") : words}`;
}

/** A number with its unit, by the unit's name in the data. */
export function quantity(value, unit) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isNumber(value)) return String(value);
  if (unit === "seconds" || unit === "s") return seconds(value);
  if (unit === "bytes") return bytes(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return whole(value);
  return digits(value);
}

/** "54.1×" */
export function times(value) {
  return `${digits(value, value < 1 ? 2 : 3)}×`;
}

/** "54 %", "103 %" */
export function percent(share) {
  return `${digits(100 * share, share < 0.995 ? 2 : 3)}${SPACE}%`;
}

/** A day, as stored: the first ten letters of an ISO time. */
export function day(iso) {
  return String(iso ?? "").slice(0, 10);
}

/** "numpy 2.2.4, numba 0.61.2", of versions by package. */
export function versions(packages) {
  return Object.entries(packages)
    .map(([name, version]) => `${name} ${version || "(newest)"}`)
    .join(", ");
}

/** "a, b and c" */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function isNumber(value) {
  return typeof value === "number";
}

function scaled(value, units, smallest) {
  if (value === 0) return `0${SPACE}${smallest}`;
  const [factor, unit] = units.find(([factor]) => Math.abs(value) >= factor * 0.9995) ?? units.at(-1);
  return `${digits(value / factor)}${SPACE}${unit}`;
}
