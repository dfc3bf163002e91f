/** Packs the points service, with its own Node, as a package for Debian. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../../package.json' with { type: 'json' }
import { PROJECT } from '../../scripts/tools.ts'
import { componentsIn, thirdPartyText, type Component } from '../licences.ts'
import { packDeb } from '../linux/deb.ts'
import { resolvePackage } from '../packages.ts'
import { bundleService } from './bundle.ts'

const NAME = 'tillpoints-service'

/** Where the program is, inside the package. */
const PROGRAM = `usr/lib/${NAME}`

const DEFAULTS = `etc/default/${NAME}`
const TLS_FOLDER = `etc/${NAME}/tls`

/** Debian's names of the architectures that Node has binaries for. */
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

const DESCRIPTION = `Loyalty Points Service of a shop
Tills issue points on slips with a QR code, and customers collect them with
their phones. The service keeps them in a ledger, in a file or in PostgreSQL.

With a nightly verified backup. Node.js is included.`

/** The program itself depends on nothing else; DynamicUser with a folder of credentials needs this systemd. */
const DEPENDENCIES = ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6', 'systemd (>= 250)']

/** What differs between packages. */
export interface ServicePackageOptions {
  readonly version: string
  /** the folder to write to */
  readonly output: string
  /** true: larger, and made in seconds */
  readonly isQuick?: boolean
}

const resource = (name: string): string => join(import.meta.dirname, name)
const readResource = (name: string): string => readFileSync(resource(name), 'utf8')

/**
 * When the package counts as made: `SOURCE_DATE_EPOCH`, or the time of the last commit, so that the same sources make the
 * same package; the present time without a repository.
 */
const buildDate = (): Date => {
  const epoch = process.env['SOURCE_DATE_EPOCH']
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: PROJECT, encoding: 'utf8' })
  const seconds = Number(epoch ?? stdout)
  return seconds > 0 ? new Date(seconds * 1000) : new Date()
}

/** Node's licence with those of all that is compiled into it, from the npm package of its binary. */
const nodeComponent = (): Component => {
  const name = `node-linux-${process.arch}`
  const folder = resolvePackage(join(PROJECT, 'node_modules/node'), name)
  if (folder === undefined) throw new Error(`${name}, which npm ci installs, is missing`)
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8').trim()
  return { name: 'Node.js', version: manifest.devDependencies.node, licence: 'MIT', text }
}

const LICENCES_INTRODUCTION = ['The points service of Tillpoints contains the following software of others.']

/** Packs the service for this machine's architecture. Resolves with the path of the package. */
export async function packService({
  version,
  output,
  isQuick = false
}: ServicePackageOptions): Promise<string> {
  const architecture = process.platform === 'linux' ? ARCHITECTURES[process.arch] : undefined
  if (architecture === undefined) {
    throw new Error(
      `The service is packed on Linux (x64, arm64); this is ${process.platform} ${process.arch}.`
    )
  }
  const root = mkdtempSync(join(tmpdir(), `${NAME}-`))
  const target = (path: string): string => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  try {
    const packages = await bundleService(join(root, PROGRAM))
    copyFileSync(join(PROJECT, 'node_modules/node/bin/node'), target(`${PROGRAM}/node`))
    const components = [...(await componentsIn(packages)), nodeComponent()]
    writeFileSync(
      target(`${PROGRAM}/THIRD-PARTY-LICENCES.txt`),
      thirdPartyText(components, LICENCES_INTRODUCTION)
    )
    mkdirSync(target(TLS_FOLDER), { recursive: true })
    copyFileSync(resource(`${NAME}.default`), target(DEFAULTS))
    copyFileSync(resource(`${NAME}.sh`), target(`usr/sbin/${NAME}`))
    for (const unit of [NAME, `${NAME}-backup`]) {
      const text = readResource(`${unit}.service`) + readResource('shared.conf')
      writeFileSync(target(`usr/lib/systemd/system/${unit}.service`), text)
    }
    for (const unit of [`${NAME}.socket`, `${NAME}-backup.timer`]) {
      copyFileSync(resource(unit), target(`usr/lib/systemd/system/${unit}`))
    }
    const page = gzipSync(readResource(`${NAME}.8`), { level: 9 })
    writeFileSync(target(`usr/share/man/man8/${NAME}.8.gz`), page)
    cpSync(join(PROJECT, 'docs/examples'), target(`usr/share/doc/${NAME}/examples`), { recursive: true })
    copyFileSync(resource('copyright'), target(`usr/share/doc/${NAME}/copyright`))
    copyFileSync(resource('lintian-overrides'), target(`usr/share/lintian/overrides/${NAME}`))

    mkdirSync(output, { recursive: true })
    const file = join(output, `${NAME}_${version}_${architecture}.deb`)
    packDeb(
      root,
      {
        fields: {
          Package: NAME,
          Version: version,
          Architecture: architecture,
          Maintainer: manifest.author,
          Depends: DEPENDENCIES.join(', '),
          Suggests: 'caddy, postgresql',
          Section: 'web',
          Priority: 'optional',
          Homepage: 'https://tillpoints.invalid/',
          Description: DESCRIPTION
        },
        scripts: Object.fromEntries(['postinst', 'prerm', 'postrm'].map((name) => [name, resource(name)])),
        conffiles: [`/${DEFAULTS}`],
        ...(isQuick ? { compression: 'gzip', level: 1 } : { compression: 'xz' }),
        date: buildDate(),
        output: file
      },
      { [DEFAULTS]: 0o600, [TLS_FOLDER]: 0o700, [`usr/sbin/${NAME}`]: 0o755 }
    )
    return file
  } finally {
    rmSync(root, { recursive: true })
  }
}
