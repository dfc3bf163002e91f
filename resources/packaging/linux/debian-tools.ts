/** Packing tools from Debian, in place of the ones that electron-builder downloads from github.com. */
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAMS = {
  dpkgDeb: '/usr/bin/dpkg-deb',
  mksquashfs: '/usr/bin/mksquashfs',
  desktopFileValidate: '/usr/bin/desktop-file-validate'
}

/** The Debian packages that contain the programs, apart from dpkg. */
export const PACKING_PACKAGES = ['squashfs-tools', 'desktop-file-utils'] as const

/** The size of the AppImage runtime, in bytes; `appimage-runtime.sh` names it too. */
const RUNTIME_BYTES = 4096

/** Whether all programs are installed. */
export const hasPackingPrograms = (): boolean =>
  Object.values(PROGRAMS).every((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** electron-builder's name of this machine's architecture in a folder of AppImage tools. */
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

/** A folder with the layout of electron-builder's AppImage tools. The runtime is a script, which needs squashfs-tools. */
async function appImageTools(folder: string): Promise<string> {
  const tools = join(folder, 'appimage')
  const programs = join(tools, `linux-${arch}`)
  await mkdir(programs, { recursive: true })
  await mkdir(join(tools, 'lib/x64'), { recursive: true })
  await symlink(PROGRAMS.mksquashfs, join(programs, 'mksquashfs'))
  await symlink(PROGRAMS.desktopFileValidate, join(programs, 'desktop-file-validate'))
  const script = await readFile(join(import.meta.dirname, 'appimage-runtime.sh'), 'utf8')
  await writeFile(join(tools, `runtime-${arch}`), script.padEnd(RUNTIME_BYTES, '\n'))
  return tools
}

/** A program that starts `fpm.ts` with this Node. */
async function fpm(folder: string): Promise<string> {
  const file = join(folder, 'fpm')
  const script = join(import.meta.dirname, 'fpm.ts')
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 })
  return file
}

/** Runs `pack` with electron-builder on Debian's tools. */
export async function withDebianTools<T>(pack: () => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-tools-'))
  try {
    process.env['CUSTOM_FPM_PATH'] = await fpm(folder)
    process.env['APPIMAGE_TOOLS_PATH'] = await appImageTools(folder)
    return await pack()
  } finally {
    delete process.env['CUSTOM_FPM_PATH']
    delete process.env['APPIMAGE_TOOLS_PATH']
    await rm(folder, { recursive: true })
  }
}
