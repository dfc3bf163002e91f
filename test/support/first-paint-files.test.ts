import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesBeforeFirstPaint } from './first-paint-files.ts'

const PAGE = `<!doctype html><html><head>
<link rel="icon" href="./assets/icon.svg" />
<script type="module" crossorigin src="./assets/index-a1.js"></script>
<link rel="modulepreload" crossorigin href="./assets/shared-b2.js">
<link rel="stylesheet" crossorigin href="./assets/index-c3.css">
</head><body></body></html>`

const FILES: Readonly<Record<string, string>> = {
  'index.html': PAGE,
  'assets/index-a1.js': `const d=["./later-d4.js","./later-e5.css","./words-en-f6.js"];import{a}from"./shared-b2.js";import"./side-g7.js";import(\`./later-d4.js\`);import("./words-en-f6.js");a()`,
  'assets/shared-b2.js': `export{a}from"./deep-h8.js";export*from"./side-g7.js"`,
  'assets/deep-h8.js': 'export const a=()=>"import \\"./nothing.js\\""',
  'assets/side-g7.js': 'export const b=1',
  'assets/later-d4.js': 'import"./deep-h8.js";export default 1',
  'assets/words-en-f6.js': 'import"./registry-i9.js";export const m=1',
  'assets/registry-i9.js': 'export{}',
  'assets/index-c3.css': 'a{color:red}',
  'assets/later-e5.css': 'b{color:red}'
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-paint-'))
  await mkdir(join(folder, 'assets'))
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(folder, path), text)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const paths = async (awaits?: readonly string[]): Promise<string[]> =>
  (await filesBeforeFirstPaint(folder, 'index.html', awaits)).map(({ path }) => path).toSorted()

const AT_ONCE = ['deep-h8.js', 'index-a1.js', 'index-c3.css', 'shared-b2.js', 'side-g7.js'].map(
  (name) => `assets/${name}`
)

test('lists what the page names and what that imports, each once, and nothing that comes later', async () => {
  expect(await paths()).toEqual(AT_ONCE)
})

test('adds what is waited for, with what it imports', async () => {
  expect(await paths(['words-en'])).toEqual(
    [...AT_ONCE, 'assets/registry-i9.js', 'assets/words-en-f6.js'].toSorted()
  )
})

test('refuses a name that no chunk has: the page changed, and the list would be too short', async () => {
  await expect(paths(['words-de'])).rejects.toThrow('index.html imports no chunk named words-de')
})

test('weighs each file as it is, and as gzip -9 makes it', async () => {
  const sheet = (await filesBeforeFirstPaint(folder, 'index.html')).find(({ path }) => path.endsWith('.css'))
  expect(sheet).toEqual({
    path: 'assets/index-c3.css',
    bytes: 12,
    gzipped: gzipSync('a{color:red}', { level: 9 }).length
  })
})
