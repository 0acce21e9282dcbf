// The site's data files: fetched once each, and refused when they are not what this page was written for.

export const SCHEMA = 1;
const files = new Map();

/** A data file that can't be shown; its message is one line for a reader. */
export class DataError extends Error {}

/** The content of a file below this page. */
export function load(path) {
  if (!files.has(path)) files.set(path, fetched(path));
  return files.get(path);
}

/** As load, but the file must be of this page's schema. */
export async function loadData(path) {
  const content = await load(path);
  if (content?.schema === SCHEMA) return content;
  throw new DataError(
    `${path} has schema ${content?.schema ?? "none"}, and this page reads schema ${SCHEMA}: \`make site\` writes both.`,
  );
}

async function fetched(path) {
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
