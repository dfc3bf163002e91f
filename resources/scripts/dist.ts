/**
 * `npm run dist`: builds the app and packs installers for this machine's system into `out/dist/`. With `-- --dir` it
 * packs the unpacked folder only, with `-- --win --dir` that of Windows on any system. Prints first what it downloads. With
 * `-- --stand-in` it packs test builds on a Linux machine that cannot download Electron; see
 * `../packaging/linux/stand-in.ts`.
 */
import { build as pack, Arch, Platform } from 'electron-builder'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { parseFeedUrl } from '../../electron/contract/updates.ts'
import manifest from '../../package.json' with { type: 'json' }
import { windowsElectronDist } from '../../test/packed/electron-dist.ts'
import { chooseElectron } from '../../test/support/electron-runtime.ts'
import { DIST_FOLDER, packaging } from '../packaging/electron-builder.config.ts'
import { packStandIn } from '../packaging/linux/stand-in.ts'
import { build } from './build.ts'
import { ensurePackingPrograms } from './system-packages.ts'
import { PROJECT } from './tools.ts'

/** The installers of each system, and what packing them downloads or needs. */
const SYSTEMS: Partial<Record<NodeJS.Platform, { platform: Platform; makes: string; takes: string }>> = {
  linux: {
    platform: Platform.LINUX,
    makes: 'an AppImage and a deb for Linux (x64)',
    takes: 'the tools for AppImage and deb'
  },
  win32: {
    platform: Platform.WINDOWS,
    makes: 'an installer for Windows (x64 and arm64)',
    takes: 'NSIS; with a certificate in WIN_CSC_LINK it is signed, without one Windows warns before it starts'
  },
  darwin: {
    platform: Platform.MAC,
    makes: 'disk images for macOS (arm64 and x64)',
    takes:
      'nothing more; with a certificate in CSC_LINK it is signed, without one macOS opens it on this machine only'
  }
}

const target = process.argv.includes('--win') ? 'win32' : process.platform
const system = SYSTEMS[target]
if (!system) {
  console.error(`Installers are made on Windows, macOS and Linux; this is ${process.platform}.`)
  process.exit(1)
}
const folderOnly = process.argv.includes('--dir')
if (target !== process.platform && !folderOnly) {
  console.error('The installer for Windows is made on Windows. Here --win packs its folder: --win --dir.')
  process.exit(1)
}
const standIn = process.argv.includes('--stand-in')
const electron = standIn ? chooseElectron() : null
if (standIn && (electron?.kind !== 'stand-in' || process.platform !== 'linux')) {
  console.error('--stand-in is for Linux machines that cannot download Electron. Run this without it.')
  process.exit(1)
}
const asked = process.env['TILLPOINTS_UPDATE_FEED']?.trim() ?? ''
const feed = asked === '' ? null : parseFeedUrl(asked)
if (asked !== '' && feed === null) {
  console.error(`TILLPOINTS_UPDATE_FEED must be an https address without a query, and it is ${asked}`)
  process.exit(1)
}

console.log(folderOnly ? `Packing the folder for ${system.platform.name}.` : `Packing ${system.makes}.`)
console.log(
  standIn
    ? 'Test builds: they do not contain Electron, and do not run on a till.'
    : `This downloads Electron's runtime${folderOnly ? '' : ` and ${system.takes}`} from github.com once, unless they are in the cache.`
)
console.log(feed === null ? 'No update feed is built in (TILLPOINTS_UPDATE_FEED).' : `Update feed: ${feed}`)

if (standIn && target === 'linux') await ensurePackingPrograms()
await build()
/** In the place of Electron for Windows. */
const stub = electron && target === 'win32' ? await windowsElectronDist(electron.version) : null
try {
  const arch = target === process.platform ? Arch[process.arch as 'x64' | 'arm64'] : Arch.x64
  const made =
    electron && target === 'linux'
      ? await packStandIn({
          electron,
          version: manifest.version,
          output: DIST_FOLDER,
          feed,
          driven: false,
          targets: folderOnly ? ['dir'] : ['AppImage', 'deb']
        })
      : await pack({
          projectDir: PROJECT,
          targets: folderOnly ? system.platform.createTarget('dir', arch) : system.platform.createTarget(),
          config: {
            ...packaging({
              platform: target,
              feed,
              ...(stub !== null && { standIn: { version: manifest.version } })
            }),
            ...(stub !== null && { electronDist: stub })
          },
          publish: 'never'
        })
  for (const file of made) console.log(relative(PROJECT, file))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error('Nothing was packed. If github.com cannot be reached from here, run this where it can.')
  process.exitCode = 1
} finally {
  if (stub !== null) await rm(stub, { recursive: true })
}
