/** Policies of Windows: the registry, where group policy writes, and a file whose access list protects it. */
import { lstatSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, win32 } from 'node:path'
import {
  type Exec,
  type ExecResult,
  POWERSHELL_HEAD,
  POWERSHELL_TIMEOUT_MS,
  runPowerShell,
  windowsProgram
} from '../exec.ts'
import {
  brokenBy,
  FileWatch,
  MAX_POLICY_BYTES,
  POLICY_KEY,
  type PolicyReading,
  type PolicyRefusal,
  type PolicySource,
  readingOf,
  readJsonPolicy
} from './policy-sources.ts'

/** Group policy is applied every 90 minutes; an administrator who tries a value waits this long. */
const REGISTRY_INTERVAL_MS = 60_000
const REGISTRY_TIMEOUT_MS = 10_000

const KEY = `HKEY_LOCAL_MACHINE\\${POLICY_KEY}`

/** A key, or a value: a text, a number, or bytes of a type. */
const ENTRY =
  /^\[(?<key>[^\r\n]*)\]\r?$|^(?:"(?<name>(?:\\.|[^"\\])*)"|@)=(?:"(?<text>(?:\\.|[^"\\])*)"|dword:(?<number>[\da-f]{8})|hex(?:\((?<type>[\da-f]+)\))?:(?<bytes>[\da-f,\\\s]*))/gimsu

const unescaped = (text = ''): string => text.replaceAll(/\\(.)/gsu, '$1')

/** Fits no setting, so that it is reported. */
const UNUSABLE: readonly never[] = []

/** A value that is written as bytes: REG_SZ, REG_EXPAND_SZ, lines of REG_MULTI_SZ, or REG_QWORD. */
function valueOfBytes(type: string, text: string): unknown {
  const bytes = Buffer.from(text.replaceAll(/[^\da-f]/giu, ''), 'hex')
  const letters = bytes.toString('utf16le')
  if (type === '1' || type === '2') return letters.split('\0')[0]
  if (type === '7') return letters.replace(/\0+$/u, '').split('\0').join('\n')
  return type === 'b' && bytes.length === 8 ? Number(bytes.readBigUInt64LE()) : UNUSABLE
}

/**
 * Returns the content of a policy from what `reg export` wrote: UTF-16, in every language of Windows. Names of keys do not
 * differ by case.
 */
export function parseRegistryExport(bytes: Buffer): Record<string, unknown> {
  const sections = new Map<string, Map<string, unknown>>()
  let section = new Map<string, unknown>()
  for (const { groups = {} } of bytes.toString('utf16le').matchAll(ENTRY)) {
    const { key, name, text, number, type = '', bytes: hex } = groups
    if (key !== undefined) {
      section = new Map()
      sections.set(key.slice(KEY.length + 1).toLowerCase(), section)
    } else if (hex !== undefined) section.set(unescaped(name), valueOfBytes(type, hex))
    else section.set(unescaped(name), number === undefined ? unescaped(text) : Number.parseInt(number, 16))
  }
  const own = sections.get('') ?? new Map<string, unknown>()
  sections.delete('')
  const keys = [...sections].map(([name, values]) => [name, Object.fromEntries(values)] as const)
  return Object.fromEntries([...own, ...keys])
}

/** `HKLM\Software\Policies\Tillpoints`, which only administrators can write. */
export class RegistryPolicy implements PolicySource {
  readonly name = KEY
  readonly #exec: Exec
  readonly #environment: NodeJS.ProcessEnv
  /** null if it could not be read */
  #last: Buffer | null = null

  constructor(exec: Exec, environment: NodeJS.ProcessEnv) {
    this.#exec = exec
    this.#environment = environment
  }

  async read(): Promise<PolicyReading> {
    try {
      const exported = await this.#export()
      this.#last = exported
      if (exported.length === 0) return { kind: 'absent' }
      return readingOf(parseRegistryExport(exported), { isText: true })
    } catch (error) {
      this.#last = null
      return brokenBy(error)
    }
  }

  watch(onChange: () => void): () => void {
    const look = async (): Promise<void> => {
      // What cannot be read now may be read later.
      const exported = await this.#export().catch(() => null)
      if (exported !== null && (this.#last === null || !exported.equals(this.#last))) onChange()
    }
    const timer = setInterval(() => void look(), REGISTRY_INTERVAL_MS).unref()
    return () => clearInterval(timer)
  }

  /** Resolves with the key and those below it; empty without that key. A file has no code page, unlike the output. */
  async #export(): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'tillpoints-policy-'))
    try {
      const file = join(folder, 'policy.reg')
      const { code } = await this.#reg('export', KEY, file, '/y')
      if (code === 0) return await readFile(file)
      if (code === null || (await this.#exists(KEY))) throw new Error('reg.exe did not export the policy')
      return Buffer.alloc(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** reg.exe ends with 1 without the key and after every other failure: the keys beside it tell which it was. */
  async #exists(key: string): Promise<boolean> {
    const parent = win32.dirname(key)
    const { code, stdout } = await this.#reg('query', parent)
    if (code === 0) return stdout.split('\n').some((line) => line.trim().toLowerCase() === key.toLowerCase())
    if (code === null || !parent.includes('\\') || (await this.#exists(parent)))
      throw new Error(`reg.exe did not list ${parent}`)
    return false
  }

  #reg(...args: readonly string[]): Promise<ExecResult> {
    return this.#exec(windowsProgram(this.#environment, 'reg.exe'), [...args, '/reg:64'], {
      environment: this.#environment,
      timeout: REGISTRY_TIMEOUT_MS
    })
  }
}

/** SIDs and their short names: Administrators, SYSTEM, TrustedInstaller, and the owner, who is one of them. */
const ADMINISTRATORS: ReadonlySet<string> = new Set([
  'BA',
  'S-1-5-32-544',
  'SY',
  'S-1-5-18',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  'OW'
])

/** Access rights by their names in SDDL (winnt.h, sddl.h). */
const RIGHTS: Readonly<Record<string, number>> = {
  ...{ CC: 0x1, DC: 0x2, LC: 0x4, SW: 0x8, RP: 0x10, WP: 0x20, DT: 0x40, LO: 0x80, CR: 0x100 },
  ...{ SD: 0x1_0000, RC: 0x2_0000, WD: 0x4_0000, WO: 0x8_0000 },
  ...{ GA: 0x1000_0000, GX: 0x2000_0000, GW: 0x4000_0000, GR: 0x8000_0000 },
  ...{ FA: 0x1f_01ff, FR: 0x12_0089, FW: 0x12_0116, FX: 0x12_00a0 }
}
const EVERY_RIGHT = -1

/** Reading and executing: FILE_GENERIC_READ, FILE_GENERIC_EXECUTE, GENERIC_READ, GENERIC_EXECUTE. */
const READING = 0x12_00a9 | 0x2000_0000 | 0x8000_0000

/** Adding files to a folder, which `%ProgramData%` allows everybody: what they add belongs to them, and is refused. */
const ADDING = 0x2 | 0x4 | 0x10 | 0x100

const rightsOf = (text: string): number =>
  text.startsWith('0x')
    ? Number.parseInt(text, 16)
    : (text.match(/../gsu) ?? []).reduce((rights, name) => rights | (RIGHTS[name] ?? EVERY_RIGHT), 0)

/**
 * Whether somebody else than an administrator could change what a security descriptor protects.
 * @param sddl as `Get-Acl` writes it, the same in every language of Windows
 * @param isFolder adding files to it is allowed
 */
export function accessRefusal(sddl: string, isFolder: boolean): PolicyRefusal | null {
  const descriptor =
    /^O:(?<owner>[\w-]+?)(?:G:[\w-]+?)?D:(?<flags>[A-Z_]*)(?<entries>(?:\([^()]*\))*)$/u.exec(sddl)
  const { owner = '', flags = '', entries = '' } = descriptor?.groups ?? {}
  if (owner === 'OW' || !ADMINISTRATORS.has(owner)) return 'owner'
  const allowed = isFolder ? READING | ADDING : READING
  const isHarmless = [...entries.matchAll(/\((.*?)\)/gu)].every(([, entry = '']) => {
    const [type, inheritance = '', rights = '', , , account = ''] = entry.split(';')
    // An entry for what will be created in a folder says nothing of the folder itself.
    if (type === 'D' || /^(?:..)*IO/u.test(inheritance) || ADMINISTRATORS.has(account)) return true
    return type === 'A' && (rightsOf(rights) & ~allowed) === 0
  })
  return isHarmless && !flags.includes('NO_ACCESS_CONTROL') ? null : 'writable'
}

const DESCRIPTORS_SCRIPT = `${POWERSHELL_HEAD}@($env:TILLPOINTS_FILE, $env:TILLPOINTS_FOLDER) | ForEach-Object { (Get-Acl -LiteralPath $_).Sddl }`

/** `%ProgramData%\Tillpoints\policy.json` */
export class WindowsPolicyFile implements PolicySource {
  readonly name: string
  readonly #exec: Exec
  readonly #environment: NodeJS.ProcessEnv
  readonly #watch: FileWatch

  constructor(path: string, exec: Exec, environment: NodeJS.ProcessEnv) {
    this.name = path
    this.#exec = exec
    this.#environment = environment
    this.#watch = new FileWatch(path)
  }

  /** What only administrators can change cannot change between the check and the reading, either. */
  async read(): Promise<PolicyReading> {
    this.#watch.remember()
    try {
      const file = lstatSync(this.name)
      const isPlain = file.isFile() && lstatSync(dirname(this.name)).isDirectory()
      if (!isPlain || file.size > MAX_POLICY_BYTES) return { kind: 'refused', reason: 'unreadable' }
      const [ofFile, ofFolder] = await this.#descriptors()
      const reason = accessRefusal(ofFile, false) ?? accessRefusal(ofFolder, true)
      return reason === null ? readJsonPolicy(await readFile(this.name)) : { kind: 'refused', reason }
    } catch (error) {
      return this.#watch.outcomeOf(error)
    }
  }

  watch(onChange: () => void): () => void {
    return this.#watch.start(onChange)
  }

  async #descriptors(): Promise<[string, string]> {
    const { code, stdout } = await runPowerShell(this.#exec, DESCRIPTORS_SCRIPT, {
      environment: {
        ...this.#environment,
        TILLPOINTS_FILE: this.name,
        TILLPOINTS_FOLDER: dirname(this.name)
      },
      timeout: POWERSHELL_TIMEOUT_MS
    })
    const [ofFile, ofFolder] = stdout.trim().split(/\r?\n/u)
    if (code !== 0 || ofFile === undefined || ofFolder === undefined)
      throw new Error('PowerShell did not tell who owns the policy')
    return [ofFile, ofFolder]
  }
}
