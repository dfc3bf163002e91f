/** The built till with one way more into main, the barest there is: the baseline of the bridge, in the same window. */
import { appendFile, copyFile, cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'

/** The channel on which the barest way asks. */
export const BARE_CHANNEL = 'bench:bare'

/** Appended to the till's own preload, because a sandboxed preload is one file. */
const MORE_PRELOAD = `
{
  const { contextBridge, ipcRenderer } = require('electron')
  contextBridge.exposeInMainWorld('bare', { invoke: (input) => ipcRenderer.invoke('${BARE_CHANNEL}', input) })
}
`

/** Makes the app in `folder`, which must not be there yet: a copy of `out/`, with a longer preload. */
export async function makeBareApp(folder: string): Promise<void> {
  await mkdir(folder)
  await copyFile(join(PROJECT, 'package.json'), join(folder, 'package.json'))
  for (const name of ['node_modules', 'resources']) await symlink(join(PROJECT, name), join(folder, name))
  await cp(join(PROJECT, 'out'), join(folder, 'out'), { recursive: true })
  await appendFile(join(folder, 'out/preload/index.cjs'), MORE_PRELOAD)
}
