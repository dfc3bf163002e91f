/** What no line of the till may say, whatever it is for: each would undo an item of SECURITY.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

/** Sources of the till by their path, without comments: those may name what is not done. */
const sources = ['electron', 'renderer'].flatMap((folder) =>
  readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|svelte|html)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, '')
        .replaceAll(/(^|\s)\/\/.*$/gm, '')
      return { name: relative(PROJECT, path).split(sep).join('/'), text }
    })
)

/** By item of Electron's checklist: what is forbidden, and the places that may have it. */
const FORBIDDEN: readonly (readonly [string, RegExp, ...string[]])[] = [
  ['2 Node in a page', /nodeIntegration\w*:\s*true/],
  ['3 a page beside its preload', /contextIsolation:\s*false/],
  ['4 no sandbox', /sandbox:\s*false|no-sandbox/],
  ['5 a permission', /decide\(true\)|setPermission\w+Handler\(null\)|setPermission\w+\([^)]*=>\s*true/],
  ['6 no web security', /webSecurity:\s*false|disable-web-security/],
  ['7 a weaker content policy', /unsafe-(inline|eval|hashes)|wasm-unsafe-eval|bypassCSP:\s*true/],
  ['8 insecure content', /allowRunningInsecureContent:\s*true/],
  ['9 experimental features', /experimentalFeatures:\s*true|enable-experimental/],
  ['10 Blink features', /enableBlinkFeatures|enable-blink-features/],
  ['11 a webview', /webviewTag:\s*true|<webview|allowpopups/],
  ['14 a window that a page opens', /action:\s*'allow'/],
  ['15 handing an address to the system', /openExternal/],
  ['18 a page from a file', /loadFile\(|file:\/\//],
  [
    'a certificate that is not trusted',
    /certificate-error|setCertificateVerifyProc|ignore-certificate|NODE_TLS_REJECT/,
    'electron/main/platform/command-line.ts'
  ],
  // Of a print server, which is checked as CUPS's programs do, before anything is sent; and of a service that `doctor` looks at.
  [
    'a certificate that Node does not check',
    /rejectUnauthorized:\s*false/,
    'electron/main/printing/cups/ipp-server.ts',
    'electron/service/cli/doctor/answers.ts'
  ],
  ['code made of text', /\beval\(|new Function\(|executeJavaScript|insertCSS/],
  ['markup made of text', /\{@html|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/],
  ['the remote module', /@electron\/remote|enableRemoteModule/],
  [
    'an address of a server, which the till would send data to',
    /https?:\/\/(?!www\.w3\.org\/|localhost|127\.|[\w-]+\.(example|invalid)\b)[\w.-]+/
  ],
  ['an open debugger', /remote-debugging-port|--inspect/, 'electron/main/platform/command-line.ts'],
  // Of images and of the service: addresses that are compared with these.
  [
    'a listener beyond loopback',
    /['"]0\.0\.0\.0['"]|['"]::['"]/,
    'electron/main/images/images.ts',
    'electron/service/domain/addresses.ts'
  ]
]

test.each(
  FORBIDDEN.flatMap(([what, pattern, ...places]) => places.map((except) => ({ what, pattern, except })))
)('$what: $except needs its exception', ({ pattern, except }) => {
  expect(sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)).toContain(except)
})

test.each(FORBIDDEN.map(([what, pattern, ...except]) => ({ what, pattern, except })))(
  'in no source: $what',
  ({ pattern, except }) => {
    const guilty = sources
      .filter(({ name, text }) => !except.includes(name) && pattern.test(text))
      .map(({ name }) => name)
    expect(guilty).toEqual([])
  }
)

test('every window has the preferences of pages, and no others', () => {
  const windows = sources.filter(({ text }) => text.includes('new BrowserWindow('))
  expect(windows.length).toBeGreaterThan(0)
  for (const { name, text } of windows) {
    const made = text.match(/new BrowserWindow\(/g)?.length ?? 0
    const preferences = text.match(/webPreferences: webPreferences\(/g)?.length ?? 0
    expect(preferences, name).toEqual(made)
  }
})

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(200)
})
