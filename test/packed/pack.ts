/** Packs the built app as `npm run dist -- --dir` does. */
import { flipFuses } from '@electron/fuses'
import { Arch, build, Platform } from 'electron-builder'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packaging } from '../../resources/packaging/electron-builder.config.ts'
import { fuseConfig } from '../../resources/packaging/fuses.ts'
import { chooseElectron } from '../support/electron-runtime.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { electronDist, windowsElectronDist } from './electron-dist.ts'

const OUTPUT = join(PROJECT, 'out/packed')

/** A packed app. */
export interface Packed {
  /** the installed folder (on macOS the app's bundle) */
  readonly folder: string
  readonly executable: string
  /** the file with the fuses: the executable, on macOS the bundle */
  readonly fused: string
  /** `process.resourcesPath` of it */
  readonly resources: string
}

const LAYOUTS: Partial<Record<NodeJS.Platform, (folder: string) => Packed>> = {
  linux: (folder) => ({
    folder,
    executable: join(folder, 'tillpoints'),
    fused: join(folder, 'tillpoints'),
    resources: join(folder, 'resources')
  }),
  win32: (folder) => ({
    folder,
    executable: join(folder, 'Tillpoints.exe'),
    fused: join(folder, 'Tillpoints.exe'),
    resources: join(folder, 'resources')
  }),
  darwin: (folder) => ({
    folder: join(folder, 'Tillpoints.app'),
    executable: join(folder, 'Tillpoints.app/Contents/MacOS/Tillpoints'),
    fused: join(folder, 'Tillpoints.app'),
    resources: join(folder, 'Tillpoints.app/Contents/Resources')
  })
}

const FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux-unpacked',
  win32: 'win-unpacked',
  darwin: process.arch === 'arm64' ? 'mac-arm64' : 'mac'
}

const packedIn = (output: string, platform: NodeJS.Platform = process.platform): Packed => {
  const folder = FOLDERS[platform]
  const layout = LAYOUTS[platform]
  if (folder === undefined || !layout) throw new Error(`Nothing is packed for ${platform}`)
  return layout(join(output, folder))
}

/** The app as released. */
export const release = packedIn(join(OUTPUT, 'release'))

/** The same files with the inspect fuse on, and no other difference: Playwright drives an app over the inspector. */
export const driven = packedIn(join(OUTPUT, 'driven'))

/** The app as released for Windows; elsewhere with another program in the place of Electron's. */
export const windows = process.platform === 'win32' ? release : packedIn(join(OUTPUT, 'windows'), 'win32')

/** Packs the folder of an installer into `output`, below `out/packed/`. */
async function packFolder(
  platform: NodeJS.Platform,
  targets: ReturnType<Platform['createTarget']>,
  output: string,
  electronFolder: string
): Promise<void> {
  await build({
    projectDir: PROJECT,
    targets,
    config: {
      ...packaging({ platform, feed: null }),
      directories: { output: join(OUTPUT, output), buildResources: 'resources/packaging' },
      electronDist: electronFolder
    },
    publish: 'never'
  })
}

/** Packs all. The app must be built. */
export async function pack(): Promise<void> {
  await rm(OUTPUT, { recursive: true, force: true })
  const electron = chooseElectron()
  const dist = await electronDist(electron)
  try {
    const arch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64
    await packFolder(process.platform, Platform.current().createTarget('dir', arch), 'release', dist.folder)
  } finally {
    if (dist.made) await rm(dist.folder, { recursive: true })
  }
  if (process.platform !== 'win32') {
    const folder = await windowsElectronDist(electron.version)
    try {
      await packFolder('win32', Platform.WINDOWS.createTarget('dir', Arch.x64), 'windows', folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  await cp(release.folder, driven.folder, { recursive: true, verbatimSymlinks: true })
  await flipFuses(driven.fused, fuseConfig(process.platform, true))
}
