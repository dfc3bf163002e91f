/**
 * Packs the Linux installers where Electron's runtime and the packing tools cannot be downloaded: with the Electron
 * stand-in as runtime and with Debian's tools. They are for tests, and their names and versions say so.
 */
import { Arch, build, Platform } from 'electron-builder'
import { rm } from 'node:fs/promises'
import { electronDist } from '../../../test/packed/electron-dist.ts'
import type { ElectronChoice } from '../../../test/support/electron-runtime.ts'
import { PROJECT } from '../../scripts/tools.ts'
import { packaging } from '../electron-builder.config.ts'
import { withDebianTools } from './debian-tools.ts'

/** What differs between test builds. */
export interface StandInOptions {
  readonly electron: ElectronChoice
  /** the version of the app; the build appends `-standin` */
  readonly version: string
  /** the folder to write to, relative to the project's folder */
  readonly output: string
  /** URL of the update feed's folder; null: no feed is built in */
  readonly feed: string | null
  /** whether Playwright may drive the app; see `fuseConfig` */
  readonly driven: boolean
  readonly targets: readonly ('deb' | 'AppImage' | 'dir')[]
}

/** Packs the built app. Resolves with the paths of the installers. */
export async function packStandIn(options: StandInOptions): Promise<readonly string[]> {
  const { electron, version, output, feed, driven, targets } = options
  const config = packaging({ platform: 'linux', feed, standIn: { version }, driven })
  const dist = await electronDist(electron)
  try {
    return await withDebianTools(() =>
      build({
        projectDir: PROJECT,
        targets: Platform.LINUX.createTarget([...targets], process.arch === 'arm64' ? Arch.arm64 : Arch.x64),
        config: {
          ...config,
          directories: { ...config.directories, output },
          electronDist: dist.folder
        },
        publish: 'never'
      })
    )
  } finally {
    if (dist.made) await rm(dist.folder, { recursive: true })
  }
}
