import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'

const FOLDER = join(import.meta.dirname, '..')
const EXECUTABLE = join(FOLDER, 'electron')

/** What a test writes as its app; each text is the content of a file. */
export interface AppSource {
  /** the main script, after a prelude: everything of Electron that tests use is imported, `note` records a line */
  readonly main: string
  /** the preload of the windows that `open()` makes */
  readonly preload?: string
  /** files served as app://shop/<name>; index.html and an empty one are there by default */
  readonly files?: Readonly<Record<string, string>>
}

const PRELUDE = `
import electron, { app, BrowserWindow, clipboard, dialog, ipcMain, Menu, nativeTheme, net, powerMonitor, protocol, safeStorage,
  screen, session, utilityProcess, webContents } from 'electron'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
const here = import.meta.dirname
const note = (...words) => appendFileSync(process.env.NOTES, words.map(String).join(' ') + '\\n')
const options = (more = {}) => ({ width: 800, height: 600, ...more, webPreferences: {
  preload: join(here, 'preload.cjs'), sandbox: true, contextIsolation: true, nodeIntegration: false, ...more.webPreferences } })
const serve = () => protocol.handle('app', (request) => {
  const file = join(here, 'files', new URL(request.url).pathname)
  if (!existsSync(file)) return new Response('nothing here', { status: 404 })
  const type = file.endsWith('.html') ? 'text/html' : file.endsWith('.js') ? 'text/javascript' : 'text/plain'
  return new Response(readFileSync(file), { headers: { 'content-type': type } })
})
let serving = false
const open = async (more = {}, page = 'index.html') => {
  if (!serving) serve()
  serving = true
  const window = new BrowserWindow(options(more))
  await window.loadURL('app://shop/' + page)
  return window
}
// For tests that run code in this process.
Object.assign(globalThis, { open, note, options, electron, opened: [] })
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }
])
`

/** An app in a folder of its own, with its own home. */
export class FixtureApp {
  readonly folder = mkdtempSync(join(tmpdir(), 'stand-in-app-'))
  readonly userData = join(this.folder, 'user-data')
  /** the temporary folder of every run of this app */
  readonly temporary = join(this.folder, 'tmp')
  readonly #notes = join(this.folder, 'notes.txt')
  readonly #running = new Set<ChildProcess>()

  constructor({ main, preload = '', files = {} }: AppSource) {
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true })
      writeFileSync(join(this.folder, name), text)
    }
    const description = {
      name: 'fixture',
      productName: 'Fixture Shop',
      version: '1.2.3',
      type: 'module',
      main: 'main.js'
    }
    mkdirSync(this.temporary)
    write('package.json', JSON.stringify(description))
    write('main.js', `${PRELUDE}\n${main}`)
    write('preload.cjs', preload)
    write('files/index.html', '<!doctype html><title>Shop</title><h1>Shop</h1>')
    write('files/empty.html', '<!doctype html><title>Empty</title>')
    for (const [name, text] of Object.entries(files)) write(`files/${name}`, text)
  }

  #environment(more: Record<string, string> = {}): Record<string, string> {
    const inherited = Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined
    )
    const own = { NOTES: this.#notes, TMPDIR: this.temporary, LANG: 'nl_NL.UTF-8', LC_ALL: '', LANGUAGE: '' }
    return { ...Object.fromEntries(inherited), ...own, ...more }
  }

  /** Starts the app under Playwright, as the end-to-end specs do, and waits until it is ready. */
  async launch(more: { env?: Record<string, string>; args?: string[] } = {}): Promise<ElectronApplication> {
    // Playwright asks the electron package in this very process where the executable is.
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = FOLDER
    const args = [this.folder, `--user-data-dir=${this.userData}`, ...(more.args ?? [])]
    const running = await _electron.launch({ args, env: this.#environment(more.env), cwd: this.folder })
    // Playwright has its connection before the app is ready: half of Electron refuses its work until then.
    await running.evaluate(({ app }) => app.whenReady())
    return running
  }

  /** Starts the app as a plain program. */
  spawn(more: { env?: Record<string, string>; args?: string[]; userData?: string } = {}): Running {
    const args = ['.', `--user-data-dir=${more.userData ?? this.userData}`, ...(more.args ?? [])]
    const child = spawn(EXECUTABLE, args, {
      cwd: this.folder,
      env: this.#environment(more.env),
      stdio: 'pipe'
    })
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return new Running(child)
  }

  /** The lines that the app noted so far, of all its runs. */
  notes(): string[] {
    return existsSync(this.#notes) ? readFileSync(this.#notes, 'utf8').trimEnd().split('\n') : []
  }

  /** Waits until the app has noted a line that begins with a text. @returns that line */
  async noted(start: string): Promise<string> {
    for (;;) {
      const line = this.notes().find((each) => each.startsWith(start))
      if (line !== undefined) return line
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Forgets the notes so far. */
  forget(): void {
    rmSync(this.#notes, { force: true })
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** A started program: what it wrote, and how it ended. */
export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: string | null }>
  output = ''

  constructor(child: ChildProcess) {
    this.child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (this.output += String(chunk)))
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  }
}

/** The first window's page, with its document loaded. @throws with Chromium's words when it could not be loaded */
export async function firstPage(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow()
  await page.waitForURL(/\.app\.localhost\/|^chrome-error:/, { waitUntil: 'load' })
  if (page.url().startsWith('chrome-error:')) throw new Error(await page.innerText('body'))
  return page
}
