import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spawn } from 'node:child_process'
import { FixtureApp, Running } from './fixture-app.ts'

const HOME = join(import.meta.dirname, '..')

/** Packs a folder as electron-builder does; `beside` names a file that stays outside the archive. */
function pack(folder: string, archive: string, beside: string): void {
  const parts: Buffer[] = []
  let offset = 0
  const entry = (path: string, name: string): object => {
    const bytes = readFileSync(path)
    if (name === beside) {
      mkdirSync(`${archive}.unpacked`, { recursive: true })
      copyFileSync(path, join(`${archive}.unpacked`, name))
      return { size: bytes.length, unpacked: true }
    }
    parts.push(bytes)
    offset += bytes.length
    return { size: bytes.length, offset: String(offset - bytes.length) }
  }
  const tree = (path: string): object => {
    const children = readdirSync(path, { withFileTypes: true }).map((each) => {
      const inside = join(path, each.name)
      return [each.name, each.isDirectory() ? tree(inside) : entry(inside, each.name)] as const
    })
    return { files: Object.fromEntries(children) }
  }
  const header = Buffer.from(JSON.stringify(tree(folder)))
  const padded = Math.ceil(header.length / 4) * 4
  const start = Buffer.alloc(16 + padded)
  start.writeUInt32LE(4, 0)
  start.writeUInt32LE(8 + padded, 4)
  start.writeUInt32LE(4 + padded, 8)
  start.writeUInt32LE(header.length, 12)
  header.copy(start, 16)
  writeFileSync(archive, Buffer.concat([start, ...parts]))
}

describe('a packaged app', () => {
  const source = new FixtureApp({
    main: `
      note(app.isPackaged, app.getVersion(), process.defaultApp, process.resourcesPath === process.env.RESOURCES)
      note(JSON.stringify(process.argv.slice(1)))
      note(readFileSync(join(app.getAppPath(), 'beside.txt'), 'utf8'))
      app.quit()`
  })
  const installed = join(source.folder, 'installed')
  const executable = join(installed, 'fixture-shop')
  const link = join(source.folder, 'link')
  const resources = join(installed, 'resources')
  beforeAll(() => {
    const content = join(source.folder, 'content')
    mkdirSync(content)
    for (const name of ['package.json', 'main.js', 'preload.cjs'])
      copyFileSync(join(source.folder, name), join(content, name))
    writeFileSync(join(content, 'beside.txt'), 'from beside the archive')
    mkdirSync(resources, { recursive: true })
    copyFileSync(join(HOME, 'electron'), executable)
    symlinkSync(executable, link)
    pack(content, join(resources, 'app.asar'), 'beside.txt')
    cpSync(content, join(source.folder, 'plain'), { recursive: true })
  })
  afterAll(() => source.remove())

  it.each([
    ['its executable', executable],
    ['the executable that a link names', link]
  ])('runs resources/app.asar beside %s, whatever the command line says', async (_, started) => {
    rmSync(join(source.folder, 'notes.txt'), { force: true })
    const env = {
      ...process.env,
      NOTES: join(source.folder, 'notes.txt'),
      TMPDIR: source.temporary,
      RESOURCES: resources,
      TILLPOINTS_STAND_IN_HOME: HOME
    }
    const running = new Running(
      spawn(started, ['--flag', 'file.txt'], { env, cwd: source.folder, stdio: 'pipe' })
    )
    expect(await running.ended).toEqual({ code: 0, signal: null })
    expect(source.notes()).toEqual([
      'true 1.2.3 undefined true',
      '["--flag","file.txt"]',
      'from beside the archive'
    ])
    expect(readdirSync(source.temporary)).toEqual([])
  })

  describe('with set fuses', () => {
    const MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
    const fused = join(installed, 'fused-shop')
    const preload = join(source.folder, 'smuggled.cjs')

    /** Starts a copy of the executable with these fuses; what the app noted, and what was said. */
    const run = async (
      fuses: string,
      args: readonly string[],
      extra: NodeJS.ProcessEnv
    ): Promise<[string[], string]> => {
      rmSync(join(source.folder, 'notes.txt'), { force: true })
      writeFileSync(fused, `${readFileSync(join(HOME, 'electron'), 'utf8')}\n# ${MARK}\u0001\u0009${fuses}`, {
        mode: 0o755
      })
      writeFileSync(preload, "console.error('smuggled in')")
      const env = {
        ...process.env,
        NOTES: join(source.folder, 'notes.txt'),
        TMPDIR: source.temporary,
        RESOURCES: resources,
        TILLPOINTS_STAND_IN_HOME: HOME,
        ...extra
      }
      const child = spawn(fused, [...args], { env, cwd: source.folder, stdio: 'pipe' })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await new Running(child).ended
      return [source.notes(), said]
    }

    it('takes no code from the environment and no debugger, as a release of the till', async () => {
      const [notes, said] = await run('010011001', ['--inspect=0'], {
        NODE_OPTIONS: `--require ${preload}`,
        ELECTRON_RUN_AS_NODE: '1'
      })
      expect(notes).toHaveLength(3)
      expect(said).not.toMatch(/smuggled|Debugger/)
    })

    it('takes all of them with the default fuses', async () => {
      const [notes, said] = await run('111111111', ['--inspect=0'], { NODE_OPTIONS: `--require ${preload}` })
      expect(notes).toHaveLength(3)
      expect(said).toMatch(/smuggled/)
      expect(said).toMatch(/Debugger/)
      const [none] = await run('111111111', ['-e', '0'], { ELECTRON_RUN_AS_NODE: '1' })
      expect(none).toEqual([])
    })
  })
})
