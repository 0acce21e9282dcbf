// The site's data files: each is fetched once, and refused if its schema is not this page's.

const SCHEMA = 1;
const files = new Map();

/** The content of a file below this page. */
export function load(path) {
  if (!files.has(path)) {
    const content = fetchJson(path);
    content.catch(() => files.delete(path)); // so that the next call tries again
    files.set(path, content);
  }
  return files.get(path);
}

/** Like `load`, for a file that must have this page's schema. */
export async function loadData(path) {
  const content = await load(path);
  if (content?.schema === SCHEMA) return content;
  throw new Error(
    `${path} has schema ${content?.schema ?? "none"}, and this page reads schema ${SCHEMA}: \`make site\` writes both.`,
  );
}

/** [the content, as from `loadData`], or [instead, error] if the file can't be read. */
export function loadOr(path, instead) {
  return loadData(path).then(
    (content) => [content],
    (error) => [instead, error],
  );
}

async function fetchJson(path) {
  const root = new URL(".", document.baseURI);
  const address = new URL(path, root);
  if (!address.href.startsWith(root.href)) throw new Error(`${path} is not a file of this site.`);
  let answer;
  try {
    answer = await fetch(address, { credentials: "same-origin" });
  } catch {
    throw new Error(`${path} could not be fetched.`);
  }
  if (!answer.ok) throw new Error(`${path} could not be fetched: the server answered ${answer.status}.`);
  try {
    return await answer.json();
  } catch {
    throw new Error(`${path} is not JSON, or broke off.`);
  }
}
