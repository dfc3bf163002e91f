/** Packs the installers of the tests: a deb and an AppImage, and the deb of the next version. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packStandIn } from '../../resources/packaging/linux/stand-in.ts'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { chooseElectron } from '../support/electron-runtime.ts'
import { NEXT_OUTPUT, NEXT_VERSION, OUTPUT, VERSION } from './installers.ts'

const electron = chooseElectron()
await rm(join(PROJECT, OUTPUT), { recursive: true, force: true })
for (const { output, version, targets } of [
  { output: OUTPUT, version: VERSION, targets: ['deb', 'AppImage'] },
  { output: NEXT_OUTPUT, version: NEXT_VERSION, targets: ['deb'] }
] as const) {
  await packStandIn({ electron, version, output, feed: null, driven: true, targets })
}
