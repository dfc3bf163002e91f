/** Checks of files, programs and SQLite on Windows. */
import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { quarantineFile } from '../../../electron/main/fs/quarantine.ts'
import { writeFileAtomic } from '../../../electron/main/fs/atomic-write.ts'
import { listLibraryPorts } from '../../../electron/main/printer-discovery/ports.ts'
import { exec } from '../../../electron/main/exec.ts'
import { DEFAULT_TIMEOUTS } from '../../../electron/main/printing/print-job.ts'
import {
  removeTemporaryFiles,
  sumatraPath,
  WindowsPrinting,
  withTemporaryFile
} from '../../../electron/main/printing/windows/windows-printing.ts'
import { Backups } from '../../../electron/main/upkeep/backups.ts'
import { openJournal } from '../../../electron/main/journal/open-journal.ts'
import { SlipFolder } from '../../../electron/main/printing/slip-folder.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import { runChecks, runScriptWith } from '../windows-script.ts'

const now = new Date('2026-11-21T12:05:33.123Z')

/** A new folder whose name has what paths of Windows may have. */
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'Jörg Ä & Sohn #1 100% '))

/** libuv opens a file without sharing it, as a virus scanner may (`UV_FS_O_EXLOCK` of `uv/win.h`). */
const EXCLUSIVE = 0x10000000

/** Holds a file, so that Windows refuses to rename and delete it. Returns the function that releases it. */
function hold(file: string): () => void {
  const descriptor = openSync(file, EXCLUSIVE)
  return () => {
    closeSync(descriptor)
  }
}

const AWKWARD = ['two words', 'a"b', 'a\\"b', 'C:\\folder\\', '%PATH%', '$(1)', '^&|<>', 'Küche – “1”', '']

const echo = (expression: string): string[] => ['-e', `process.stdout.write(JSON.stringify(${expression}))`]

const checks = {
  'slips of any name are saved in their folder, each under a name of its own': async () => {
    const folder = join(newFolder(), 'slips')
    const slips = new SlipFolder(folder, noOpLogger)
    const codes = [
      'con',
      'COM1.x',
      'a:b?c*d|e"f<g>',
      'end.',
      'end ',
      'ABC',
      'abc',
      '..\\..\\up',
      'C:\\up',
      'é😀'
    ]
    const files = new Set<string>()
    for (const fileName of [...codes, 'x'.repeat(300)]) {
      const pdf = Buffer.from(fileName)
      const saved = await slips.save({ fileName, pdf, trace: {} })
      assert(saved.ok && saved.value.file !== null, fileName)
      assert.deepEqual(readFileSync(saved.value.file), pdf)
      files.add(basename(saved.value.file))
    }
    assert.deepEqual(new Set(readdirSync(folder)), files)
    assert.equal(files.size, codes.length + 1)
  },

  'a file that another program holds for half a second is replaced': async () => {
    const file = join(newFolder(), 'settings.json')
    writeFileSync(file, 'old')
    const release = hold(file)
    setTimeout(release, 500)
    await writeFileAtomic(file, 'new')
    assert.equal(readFileSync(file, 'utf8'), 'new')
  },

  'a file that another program keeps is unchanged, and nothing is left beside it': async () => {
    const folder = newFolder()
    const file = join(folder, 'settings.json')
    writeFileSync(file, 'old')
    const release = hold(file)
    await assert.rejects(writeFileAtomic(file, 'new'), { code: /^(EPERM|EACCES|EBUSY)$/ })
    release()
    assert.equal(readFileSync(file, 'utf8'), 'old')
    assert.deepEqual(readdirSync(folder), ['settings.json'])
  },

  'a damaged file is renamed with the time': () => {
    const folder = newFolder()
    const file = join(folder, 'settings.json')
    writeFileSync(file, '{')
    const name = quarantineFile(file, now)
    assert.deepEqual(readdirSync(folder), [name])
  },

  'a PDF to print is removed afterwards': async () => {
    const path = await withTemporaryFile(Buffer.from('%PDF-'), '.pdf', (file) => Promise.resolve(file))
    assert(!existsSync(path))
  },

  'a PDF that another program holds is removed later': async () => {
    const { path, release } = await withTemporaryFile(Buffer.from('%PDF-'), '.pdf', (file) =>
      Promise.resolve({ path: file, release: hold(file) })
    )
    assert(existsSync(path))
    assert.equal(await removeTemporaryFiles(new Date(), 0), 0)
    release()
    assert.equal(await removeTemporaryFiles(new Date(), 0), 1)
    assert(!existsSync(path))
  },

  'arguments reach a program unchanged': async () => {
    const { stdout } = await exec(process.execPath, [...echo('process.argv.slice(1)'), '--', ...AWKWARD], {
      environment: process.env,
      timeout: 30_000
    })
    assert.deepEqual(JSON.parse(stdout), AWKWARD)
  },

  'values of the environment reach a program unchanged': async () => {
    const names = Object.fromEntries(AWKWARD.map((value, index) => [`TILLPOINTS_${String(index)}`, value]))
    const { stdout } = await exec(process.execPath, echo('process.env'), {
      environment: { ...process.env, ...names },
      timeout: 30_000
    })
    const found = v.parse(v.record(v.string(), v.string()), JSON.parse(stdout))
    for (const [name, value] of Object.entries(names)) assert.equal(found[name] ?? '', value)
  },

  'a program that hangs is stopped at its time limit': async () => {
    const hanging = ['-e', 'setInterval(() => undefined, 1000)']
    const { code, cause } = await exec(process.execPath, hanging, {
      environment: process.env,
      timeout: 1_000
    })
    assert.deepEqual({ code, cause }, { code: null, cause: undefined })
  },

  'a program that does not exist is reported': async () => {
    const options = { environment: process.env, timeout: 5_000 }
    assert.equal((await exec('C:\\nowhere.exe', [], options)).cause, 'ENOENT')
  },

  'a PowerShell that prints nothing is a print system that is down': async () => {
    const options = { exec, environment: process.env, timeouts: DEFAULT_TIMEOUTS, log: noOpLogger }
    const listed = await new WindowsPrinting(options).list()
    assert(!listed.ok && listed.failure.kind === 'not-printed')
    assert.equal(listed.failure.fault, 'print-system-down')
  },

  'SumatraPDF is found in this project, and outside an archive': () => {
    assert(statSync(sumatraPath()).isFile())
    const inside =
      'C:\\Users\\Jörg\\Tillpoints\\resources\\app.asar\\node_modules\\pdf-to-printer\\package.json'
    assert(sumatraPath(inside).startsWith('C:\\Users\\Jörg\\Tillpoints\\resources\\app.asar.unpacked\\'))
  },

  'a journal is opened by one till only, and again after it was closed': () => {
    const file = join(newFolder(), 'journal.sqlite')
    const first = openJournal(file, now)
    assert.equal(first.error, null)
    const second = openJournal(file, now, { lockTimeoutMs: 100 })
    assert(second.error instanceof Error && second.error.name === 'JournalInUseError')
    first.journal?.close()
    const third = openJournal(file, now)
    assert.equal(third.error, null)
    third.journal?.close()
  },

  'a damaged journal is renamed, and a new one replaces it': () => {
    const folder = newFolder()
    const file = join(folder, 'journal.sqlite')
    writeFileSync(file, 'not a database at all '.repeat(100))
    const { journal, quarantinedAs } = openJournal(file, now)
    assert(journal !== null && quarantinedAs !== null)
    assert(existsSync(join(folder, quarantinedAs)))
    journal.close()
  },

  'the library that lists serial ports loads; Wine has none': async () => {
    assert.deepEqual(await listLibraryPorts(), [])
  },

  'an open journal is backed up': async () => {
    const folder = newFolder()
    const journalFile = join(folder, 'journal.sqlite')
    const { journal } = openJournal(journalFile, now)
    const faults: unknown[] = []
    const backups = new Backups({
      journalFile,
      folder: join(folder, 'backups'),
      now: () => now,
      log: { ...noOpLogger, error: (_event, details) => faults.push(details) }
    })
    await backups.backUpToday()
    assert.deepEqual(faults, [])
    assert.deepEqual(readdirSync(join(folder, 'backups')), ['journal-2026-11-21.sqlite'])
    journal?.close()
  }
}

await runScriptWith(v.object({}), () => runChecks(checks))
