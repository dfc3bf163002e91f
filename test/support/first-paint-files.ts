/** What a built page loads before its first paint: read from the files of the build, without a browser. */
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseSync } from 'vite'

/** One script or style sheet of a build. */
export interface PageFile {
  /** below the folder of the build, with slashes */
  readonly path: string
  readonly bytes: number
  /** by `gzip -9` */
  readonly gzipped: number
}

/** The scripts and style sheets that a page's own tags name. Icons and fonts are none. */
const TAG = /<(?:script|link)\b[^>]*>/gu
const LOADING_LINK = /\brel="(?:modulepreload|stylesheet)"/u
const ADDRESS = /\b(?:src|href)="([^"]+)"/u

const namedIn = (html: string): string[] =>
  (html.match(TAG) ?? []).flatMap((tag) => {
    const address = ADDRESS.exec(tag)?.[1]
    return address && (tag.startsWith('<script') || LOADING_LINK.test(tag)) ? [address] : []
  })

/** Other files that a script imports as it is loaded. What it imports later, by `import()`, is not among them. */
const importedBy = (script: string): string[] =>
  parseSync('chunk.js', script).program.body.flatMap((statement) =>
    (statement.type === 'ImportDeclaration' ||
      statement.type === 'ExportAllDeclaration' ||
      statement.type === 'ExportNamedDeclaration') &&
    statement.source
      ? [statement.source.value]
      : []
  )

/** Files that a script may import later, as Vite's build lists them, with their style sheets. */
const LATER = /["'`](\.\/[^"'`]+?\.(?:js|css))["'`]/gu

/**
 * Lists what a page of a Vite build loads before its first paint: the scripts, preloads and style sheets of its tags,
 * everything that these scripts import statically, and `awaits`: the beginning of a name for each chunk that its
 * scripts import() and wait for before they draw anything, as in `en-`.
 *
 * @param folder the folder that the build wrote, such as `out/renderer`
 * @param html the page in it, such as `index.html`
 * @returns the files, largest first
 * @throws when a file is missing, or no chunk of a name in `awaits` is imported by these scripts
 */
export async function filesBeforeFirstPaint(
  folder: string,
  html: string,
  awaits: readonly string[] = []
): Promise<readonly PageFile[]> {
  const files = new Map<string, PageFile>()
  const later = new Set<string>()
  const below = (from: string, address: string): string =>
    relative(folder, address.startsWith('/') ? join(folder, address) : join(folder, dirname(from), address))
      .split('\\')
      .join('/')

  const take = async (path: string): Promise<void> => {
    if (files.has(path)) return
    const content = await readFile(join(folder, path))
    files.set(path, { path, bytes: content.length, gzipped: gzipSync(content, { level: 9 }).length })
    if (!path.endsWith('.js')) return
    const script = content.toString()
    for (const [, address = ''] of script.matchAll(LATER)) later.add(below(path, address))
    for (const address of importedBy(script)) await take(below(path, address))
  }

  const page = await readFile(join(folder, html), 'utf8')
  for (const address of namedIn(page)) await take(below(html, address))
  for (const name of awaits) {
    const chunks = [...later].filter((path) => path.slice(path.lastIndexOf('/') + 1).startsWith(name))
    if (chunks.length === 0) throw new Error(`${html} imports no chunk named ${name}`)
    for (const path of chunks) await take(path)
  }
  return [...files.values()].sort((one, other) => other.gzipped - one.gzipped)
}
