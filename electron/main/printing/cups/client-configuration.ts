/** What CUPS's own programs read before they connect: client.conf(5), and the environment, which overrides it. */
import { readFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** When a connection is encrypted. `if-requested`: the server says so; `required` and `always` are the same here. */
const ENCRYPTIONS = ['if-requested', 'never', 'required', 'always'] as const

export interface ClientConfiguration {
  readonly encryption: (typeof ENCRYPTIONS)[number]
  /** the name that jobs are submitted under */
  readonly user: string
  /** whether a certificate that is not known yet is accepted, and remembered */
  readonly trustOnFirstUse: boolean
  /** whether such a certificate must be for the name of the server */
  readonly validateCertificates: boolean
  /** the folder of the certificates that are known: one file `HOST.crt` for each server */
  readonly certificateFolder: string
}

const systemFolder = (environment: NodeJS.ProcessEnv): string => environment['CUPS_SERVERROOT'] ?? '/etc/cups'
const userFolder = (environment: NodeJS.ProcessEnv): string => join(environment['HOME'] ?? homedir(), '.cups')

/** The contents of a file of CUPS's clients, first the system's, then the user's, which overrides it; empty if missing. */
export function readClientFiles(environment: NodeJS.ProcessEnv, name: string): Promise<readonly string[]> {
  const folders = [systemFolder(environment), userFolder(environment)]
  return Promise.all(folders.map((folder) => readFile(join(folder, name), 'utf8').catch(() => '')))
}

/** Directives by their names in small letters: `Name value`, where an unescaped `#` begins a comment. */
const directivesOf = (file: string): readonly (readonly [name: string, value: string])[] =>
  file.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*(\w+)\s+(.*\S)/u.exec(line.replace(/(?<!\\)#.*/u, '')) ?? []
    return name === undefined || value === undefined
      ? []
      : [[name.toLowerCase(), value.replaceAll('\\#', '#')] as const]
  })

const isOn = (value: string): boolean => /^(yes|on|true)$/iu.test(value)

/** A user without an entry in the system's list is `unknown`, as in CUPS. */
export function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

/** Never rejects: a missing file has no directives. `ServerName` is left to `lpstat -H`. */
export async function readClientConfiguration(environment: NodeJS.ProcessEnv): Promise<ClientConfiguration> {
  const files = await readClientFiles(environment, 'client.conf')
  const directives = new Map(files.flatMap(directivesOf))
  const value = (directive: string, variable: string): string | undefined =>
    environment[variable] ?? directives.get(directive)
  const flag = (directive: string, variable: string, otherwise: boolean): boolean => {
    const text = value(directive, variable)
    return text === undefined ? otherwise : isOn(text)
  }
  const encryption = value('encryption', 'CUPS_ENCRYPTION')?.toLowerCase()
  const isRoot = process.getuid?.() === 0
  return {
    encryption: ENCRYPTIONS.find((known) => known === encryption) ?? 'if-requested',
    user: value('user', 'CUPS_USER') ?? systemUser(),
    trustOnFirstUse: flag('trustonfirstuse', 'CUPS_TRUSTFIRST', true),
    validateCertificates: flag('validatecerts', 'CUPS_VALIDATECERTS', false),
    certificateFolder: join(isRoot ? systemFolder(environment) : userFolder(environment), 'ssl')
  }
}
