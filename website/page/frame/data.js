// The site's data files: each is fetched once, and refused where its schema is not this page's.

export const SCHEMA = 1;
const files = new Map();

/** A data file that can't be shown; the message is one line for readers. */
export class DataError extends Error {}

/** The content of a file below this page. */
export function load(path) {
  if (!files.has(path)) files.set(path, fetchJson(path));
  return files.get(path);
}

/** As load, for a file that must have this page's schema. */
export async function loadData(path) {
  const content = await load(path);
  if (content?.schema === SCHEMA) return content;
  throw new DataError(
    `${path} has schema ${content?.schema ?? "none"}, and this page reads schema ${SCHEMA}: \`make site\` writes both.`,
  );
}

async function fetchJson(path) {
  const root = new URL(".", document.baseURI);
  const address = new URL(path, root);
  if (!address.href.startsWith(root.href)) throw new DataError(`${path} is not a file of this site.`);
  let answer;
  try {
    answer = await fetch(address, { credentials: "same-origin" });
  } catch {
    files.delete(path); // the next try may find a network
    throw new DataError(`${path} could not be fetched.`);
  }
  if (!answer.ok) throw new DataError(`${path} could not be fetched: the server answered ${answer.status}.`);
  try {
    return await answer.json();
  } catch {
    throw new DataError(`${path} is not JSON.`);
  }
}
