/** What Wine cannot show: access lists, as Windows writes them in SDDL. `test/windows/` reads the registry itself. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, win32 } from 'node:path'
import { beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest'
import type { Notice } from '../../../../electron/contract/till.ts'
import type { Exec, ExecResult } from '../../../../electron/main/exec.ts'
import { PolicyReader } from '../../../../electron/main/policy/policy-reader.ts'
import type { PolicyReading } from '../../../../electron/main/policy/policy-sources.ts'
import {
  accessRefusal,
  parseRegistryExport,
  RegistryPolicy,
  WindowsPolicyFile
} from '../../../../electron/main/policy/windows-policies.ts'
import { Settings } from '../../../../electron/main/settings/index.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const TRUSTED_INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464'
const SOMEBODY = 'S-1-5-21-1111-2222-3333-1001'

/** What a folder and a file in it inherit from `%ProgramData%` of Windows 11, made by an administrator. */
const FOLDER =
  'O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)'
const FILE = 'O:BAG:SYD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)'
const withEntry = (sddl: string, entry: string): string => `${sddl}${entry}`
const ownedBy = (sddl: string, owner: string): string => sddl.replace('O:BA', `O:${owner}`)

describe('an access list', () => {
  it.each([
    ['a file in %ProgramData%', FILE, false],
    ['a folder in %ProgramData%', FOLDER, true],
    ['%ProgramData% itself', 'O:SYG:SYD:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;CI;DCLCRPCR;;;BU)', true],
    ['what TrustedInstaller owns', ownedBy(FILE, TRUSTED_INSTALLER), false],
    ['one that nobody may read', 'O:BAG:SYD:P', false],
    ['reading by names of rights', withEntry(FILE, '(A;;FRFX;;;WD)(A;;GRGX;;;AU)'), false],
    ['a refusal', withEntry(FILE, '(D;;FA;;;BU)'), false]
  ])('is safe: %s', (_what, sddl, isFolder) => {
    expect(accessRefusal(sddl, isFolder)).toBeNull()
  })

  it.each([
    ['somebody', ownedBy(FILE, SOMEBODY), 'owner'],
    ['a user of the group', ownedBy(FILE, 'BU'), 'owner'],
    ['nobody', 'D:AI(A;ID;FA;;;BA)', 'owner'],
    ['no text', '', 'owner']
  ])('belongs to the wrong one: %s', (_who, sddl, reason) => {
    expect(accessRefusal(sddl, false)).toBe(reason)
  })

  it.each([
    ['(A;;FA;;;BU)'],
    ['(A;ID;0x1301bf;;;AU)'],
    ['(A;;FW;;;WD)'],
    ['(A;;GA;;;WD)'],
    ['(A;;GW;;;BU)'],
    ['(A;;DC;;;BU)'],
    ['(A;;SD;;;BU)'],
    ['(A;;WD;;;BU)'],
    ['(A;;WO;;;BU)'],
    [`(A;;0x2;;;${SOMEBODY})`],
    ['(A;;ZZ;;;BU)'],
    ['(A;;FRSD;;;BU)'],
    ['(OA;;FR;;;BU)'],
    ['(XA;;FA;;;BU;(WIN://SYSAPPID Exists))']
  ])('lets somebody write to a file: %s', (entry) => {
    expect(accessRefusal(withEntry(FILE, entry), false)).not.toBeNull()
  })

  it.each([['(A;;DT;;;BU)'], ['(A;;SD;;;BU)'], ['(A;OICI;0x1301bf;;;BU)'], ['(A;;WD;;;BU)']])(
    'lets somebody replace a file of the folder: %s',
    (entry) => {
      expect(accessRefusal(withEntry(FOLDER, entry), true)).toBe('writable')
    }
  )

  it('that is missing lets everybody do everything', () => {
    expect(accessRefusal('O:BAG:SYD:NO_ACCESS_CONTROL', false)).toBe('writable')
  })
})

/** The result of a program that did not end in time. */
const STOPPED: ExecResult = { code: null, stdout: '', stderr: '' }

/** Stands for PowerShell. */
const answers = (...lines: string[]): Exec =>
  vi.fn<Exec>(() =>
    Promise.resolve({ code: 0, stdout: lines.map((line) => `${line}\r\n`).join(''), stderr: '' })
  )

function openFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'Tillpoints'))
  return join(folder, 'Tillpoints', 'policy.json')
}

describe('the file', () => {
  const readFile = (file: string, exec: Exec): Promise<PolicyReading> =>
    new WindowsPolicyFile(file, exec, { SystemRoot: 'C:\\Windows' }).read()

  it('is read when only administrators can change it and its folder', async () => {
    const file = openFile()
    writeFileSync(file, '{ "locked": { "copies": 2 } }')
    const exec = answers(FILE, FOLDER)
    expect(await readFile(file, exec)).toMatchObject({ kind: 'read', policy: { locked: { copies: 2 } } })
    const [program, args, options] = vi.mocked(exec).mock.calls[0] ?? []
    expect(program).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
    expect(args?.join(' ')).not.toContain(file)
    expect(options?.environment).toMatchObject({ TILLPOINTS_FILE: file, TILLPOINTS_FOLDER: dirname(file) })
  })

  it.each([
    ['the file belongs to somebody else', [ownedBy(FILE, SOMEBODY), FOLDER], 'owner'],
    ['the folder belongs to somebody else', [FILE, ownedBy(FOLDER, SOMEBODY)], 'owner'],
    ['others can write to it', [withEntry(FILE, '(A;;FA;;;BU)'), FOLDER], 'writable'],
    ['others can replace it', [FILE, withEntry(FOLDER, '(A;;DT;;;BU)')], 'writable']
  ])('is ignored when %s', async (_when, lines, reason) => {
    const file = openFile()
    writeFileSync(file, '{ "locked": { "copies": 2 } }')
    expect(await readFile(file, answers(...lines))).toEqual({ kind: 'refused', reason })
  })

  it.each<[string, ExecResult]>([
    ['does not end', STOPPED],
    ['fails', { code: 1, stdout: `${FILE}\r\n${FOLDER}\r\n`, stderr: '' }],
    ['says too little', { code: 0, stdout: `${FILE}\r\n`, stderr: '' }]
  ])('is not read when PowerShell %s, and not refused', async (_what, result) => {
    const file = openFile()
    writeFileSync(file, '{}')
    expect(await readFile(file, () => Promise.resolve(result))).toMatchObject({ kind: 'broken' })
  })

  it('is ignored behind a link, and as a folder', async () => {
    const file = openFile()
    symlinkSync('/etc/hostname', file)
    expect(await readFile(file, answers(FILE, FOLDER))).toMatchObject({ kind: 'refused' })
    rmSync(file)
    mkdirSync(file)
    expect(await readFile(file, answers(FILE, FOLDER))).toMatchObject({ kind: 'refused' })
  })

  it('that does not exist starts no program', async () => {
    const exec = answers()
    expect(await readFile(openFile(), exec)).toEqual({ kind: 'absent' })
    expect(exec).not.toHaveBeenCalled()
  })
})

const KEY = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Tillpoints'
/** As `reg export` of Windows writes it. */
const exported = (...lines: string[]): Buffer =>
  Buffer.from(`\uFEFFWindows Registry Editor Version 5.00\r\n\r\n${lines.join('\r\n')}\r\n\r\n`, 'utf16le')

/** What `reg query` prints of a key. */
const listed = (...keys: string[]): ExecResult => ({
  code: 0,
  stdout: `\r\n${keys.join('\r\n')}\r\n`,
  stderr: ''
})
const FAILED: ExecResult = { code: 1, stdout: '', stderr: '' }

/** Stands for `reg`; null: there is no such key. */
const registry = (content: () => Buffer | null): Exec =>
  async function reg(_program, args) {
    const bytes = content()
    if (args[0] === 'query') return listed(...(bytes ? [KEY] : []))
    if (bytes) await writeFile(String(args[2]), bytes)
    return bytes ? listed() : FAILED
  }

describe('the registry', () => {
  it('has texts of several lines, and bytes on several lines', () => {
    const bytes = exported(
      `[${KEY.toUpperCase()}]`,
      '@="default value"',
      '"managedBy"="Example \\"IT\\" \\\\ Söhne"',
      '',
      `[${KEY}\\Locked]`,
      '"slip.footer"="one',
      '[two]',
      '\\"x\\"=dword:00000001"',
      '"copies"=dword:0000000a',
      '"slip.headline"=hex(7):6f,00,6e,00,65,00,00,00,74,00,\\',
      '  77,00,6f,00,00,00,00,00',
      '"slip.tillName"=hex(2):25,00,41,00,25,00,00,00'
    )
    expect(parseRegistryExport(bytes)).toEqual({
      '': 'default value',
      managedBy: 'Example "IT" \\ Söhne',
      locked: {
        'slip.footer': 'one\r\n[two]\r\n"x"=dword:00000001',
        copies: 10,
        'slip.headline': 'one\ntwo',
        'slip.tillName': '%A%'
      }
    })
  })

  it('is read from the view of 64-bit programs, and its changes are seen', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let content: Buffer | null = exported(`[${KEY}\\locked]`, '"copies"=dword:00000002')
    const exec = vi.fn(registry(() => content))
    const source = new RegistryPolicy(exec, {})
    expect(await source.read()).toMatchObject({ kind: 'read', policy: { locked: { copies: 2 } } })
    expect(exec.mock.calls[0]?.[0]).toBe('C:\\Windows\\System32\\reg.exe')
    expect(exec.mock.calls[0]?.[1]).toEqual(expect.arrayContaining(['export', KEY, '/reg:64']))
    const changed = new Promise<void>((resolve) => {
      onTestFinished(source.watch(resolve))
    })
    content = null
    vi.advanceTimersByTime(60_000)
    await changed
    expect(await source.read()).toEqual({ kind: 'absent' })
  })

  const PARENT = win32.dirname(KEY)

  it.each<[string, string, ExecResult[]]>([
    ['without the key', 'absent', [FAILED, listed(`${PARENT}\\Microsoft`, `${KEY} 2`)]],
    ['without the key above it', 'absent', [FAILED, FAILED, listed(win32.dirname(PARENT))]],
    ['with a key that cannot be exported', 'broken', [FAILED, listed(KEY.toUpperCase())]],
    ['with a key above it that cannot be listed', 'broken', [FAILED, FAILED, listed(PARENT)]],
    ['that cannot be listed at all', 'broken', [FAILED, FAILED, FAILED, FAILED]],
    ['that is not exported in time', 'broken', [STOPPED]],
    ['that is not listed in time', 'broken', [FAILED, STOPPED]]
  ])('%s is %s', async (_what, kind, results) => {
    const exec = vi.fn<Exec>()
    for (const result of results) exec.mockResolvedValueOnce(result)
    expect(await new RegistryPolicy(exec, {}).read()).toMatchObject({ kind })
    expect(exec).toHaveBeenCalledTimes(results.length)
  })
})

describe('a policy that cannot be read for a moment', () => {
  let isBusy: boolean
  let exec: Mock<Exec>
  let settings: Settings
  let notices: readonly Notice[]
  let reported: number

  /** Opens a till with the settings of the last one. */
  async function openTill(file: string): Promise<PolicyReader> {
    settings = new Settings(dirname(dirname(file)))
    const sources = [new RegistryPolicy(exec, {}), new WindowsPolicyFile(file, exec, {})]
    const reader = new PolicyReader({ sources, settings, log: noOpLogger })
    await reader.read()
    reported = 0
    reader.start((found) => {
      notices = found
      reported += 1
    })
    onTestFinished(() => reader.close())
    return reader
  }

  const expectInForce = (): void => {
    expect(settings.values).toMatchObject({ copies: 2, theme: 'dark' })
    expect(settings.values.policy?.sources).toHaveLength(2)
  }
  const unread = { kind: 'policy-ignored', reason: 'unreadable' }

  let file: string
  beforeEach(async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    file = openFile()
    writeFileSync(file, '{ "locked": { "theme": "dark" } }')
    const reg = registry(() => exported(`[${KEY}\\locked]`, '"copies"=dword:00000002'))
    const powerShell = answers(FILE, FOLDER)
    isBusy = false
    exec = vi.fn<Exec>((program, ...rest) => {
      if (isBusy) return Promise.resolve(STOPPED)
      return program.endsWith('reg.exe') ? reg(program, ...rest) : powerShell(program, ...rest)
    })
    const reader = await openTill(file)
    expect(notices).toEqual([])
    expectInForce()
    isBusy = true
    await reader.read()
  })

  it('stays in force, is said once, and is read again after a minute', async () => {
    expectInForce()
    expect(notices).toMatchObject([unread, unread])
    exec.mockClear()
    await vi.advanceTimersByTimeAsync(58_000)
    expect(exec).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(180_000)
    expect(exec.mock.calls.filter(([program]) => program.endsWith('powershell.exe')).length).toBeLessThan(5)
    expectInForce()
    expect(reported).toBe(2)
    isBusy = false
    await vi.advanceTimersByTimeAsync(60_000)
    await vi.waitFor(() => expect(notices).toEqual([]))
    expectInForce()
  })

  it('is in force at the next start, and read a minute later', async () => {
    await openTill(file)
    expectInForce()
    expect(notices).toMatchObject([unread, unread])
    isBusy = false
    await vi.advanceTimersByTimeAsync(60_000)
    await vi.waitFor(() => expect(notices).toEqual([]))
    expectInForce()
  })
})
