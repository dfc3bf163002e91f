/** Packs a folder as a deb with dpkg-deb. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Fields of the control file; `Description` may have several lines. */
interface ControlFields extends Readonly<Record<string, string>> {
  readonly Package: string
  readonly Version: string
  readonly Architecture: string
  readonly Maintainer: string
  readonly Description: string
}

/** What is packed. */
export interface DebOptions {
  readonly fields: ControlFields
  /** paths of maintainer scripts by their names, such as `postinst` */
  readonly scripts: Readonly<Record<string, string>>
  /** paths inside the package, with a leading slash */
  readonly conffiles?: readonly string[]
  readonly compression: 'gzip' | 'xz'
  /** 1, fast, to 9; the default of dpkg-deb unless given */
  readonly level?: number
  /** when the package was made; the present time unless given */
  readonly date?: Date
  /** the path of the deb */
  readonly output: string
}

/** Returns the paths of all regular files below a folder, relative to it. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** Returns the entry of a field in the control file. Lines after the first are indented, and empty ones are a dot. */
const field = (name: string, value: string): string => {
  const [first = '', ...rest] = value.split('\n').map((line) => line.trim())
  return [`${name}: ${first}`, ...rest.map((line) => ` ${line === '' ? '.' : line}`)].join('\n')
}

const changelog = ({ Package, Version, Maintainer }: ControlFields, date: Date): string =>
  [
    `${Package} (${Version}) stable; urgency=medium`,
    '',
    '  * See the release notes.',
    '',
    ` -- ${Maintainer}  ${date.toUTCString().replace('GMT', '+0000')}`,
    ''
  ].join('\n')

/**
 * Packs the content of a folder, to which it adds a changelog and the control files. Everyone may read all files; a mode
 * of `restricted` is set afterwards.
 * @param restricted modes of single files and folders, relative to `root`
 */
export function packDeb(
  root: string,
  { fields, scripts, conffiles = [], compression, level, date = new Date(), output }: DebOptions,
  restricted: Readonly<Record<string, number>> = {}
): void {
  const documents = join(root, 'usr/share/doc', fields.Package)
  mkdirSync(documents, { recursive: true })
  writeFileSync(join(documents, 'changelog.gz'), gzipSync(changelog(fields, date), { level: 9 }))
  execFileSync('chmod', ['--recursive', 'u=rwX,go=rX', root])
  for (const [path, mode] of Object.entries(restricted)) chmodSync(join(root, path), mode)

  const files = filesBelow(root)
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  const control = join(root, 'DEBIAN')
  mkdirSync(control, { mode: 0o755 })
  const { Description, ...others } = fields
  const entries = { ...others, 'Installed-Size': String(Math.ceil(bytes / 1024)), Description }
  writeFileSync(
    join(control, 'control'),
    Object.entries(entries)
      .map(([name, value]) => `${field(name, value)}\n`)
      .join('')
  )
  const md5 = (file: string): string =>
    createHash('md5')
      .update(readFileSync(join(root, file)))
      .digest('hex')
  const isConffile = (file: string): boolean => conffiles.includes(`/${file}`)
  writeFileSync(
    join(control, 'md5sums'),
    files
      .filter((file) => !isConffile(file))
      .map((file) => `${md5(file)}  ${file}\n`)
      .join('')
  )
  if (conffiles.length > 0)
    writeFileSync(join(control, 'conffiles'), conffiles.map((path) => `${path}\n`).join(''))
  for (const [name, script] of Object.entries(scripts)) {
    copyFileSync(script, join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  execFileSync(
    'dpkg-deb',
    [
      '--root-owner-group',
      `-Z${compression}`,
      ...(level === undefined ? [] : [`-z${level}`]),
      '--build',
      root,
      output
    ],
    // Later times of files, which are those of this build, become this one.
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)) } }
  )
}
