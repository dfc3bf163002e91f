/** The configuration of electron-builder (https://www.electron.build/configuration), which packs the built app. */
import { flipFuses } from '@electron/fuses'
import type { AfterPackContext, Configuration } from 'electron-builder'
import { join } from 'node:path'
import { LANGUAGES } from '../../electron/contract/language.ts'
import { PROJECT } from '../scripts/tools.ts'
import { fuseConfig } from './fuses.ts'
import { unpackedPackages } from './packages.ts'

/** The folder that `npm run dist` writes to, in the project's folder. */
export const DIST_FOLDER = 'out/dist'

/** The executable's name on Linux. */
const EXECUTABLE = 'tillpoints'

/** One PNG of 1024 pixels; electron-builder makes each system's format and sizes from it. */
const ICON = 'resources/icons/icon.png'

/** Files of the packed packages that the app never loads. */
const UNUSED_FILES = [
  // Source maps, types and documentation.
  '!**/node_modules/**/*.{map,ts,mts,cts,flow,md,markdown,html,yml,yaml}',
  '!**/node_modules/**/{.yarn,.github,test,tests,docs,examples,tools}{,/**/*}',
  '!**/node_modules/**/{jsconfig.json,*.config.*}',
  // Packages with several builds of the same code: only the one that Node loads is packed.
  '!**/node_modules/pdfkit/js/{pdfkit.browser*,pdfkit.standalone*,*.old.*,pdfkit.js}',
  '!**/node_modules/fontkit/{src{,/**/*},dist/browser*}',
  '!**/node_modules/{fontkit,linebreak,restructure,unicode-properties}/dist/main.cjs',
  '!**/node_modules/@hyzyla/pdfium/dist/{pdfium.wasm.base64*,worker.bundle.js,index.cjs}',
  '!**/node_modules/@hyzyla/pdfium/dist/index.esm.{cdn,base64,browser,worker}.js',
  '!**/node_modules/harfbuzzjs/dist/harfbuzz-subset*',
  '!**/node_modules/@swc/helpers/{src,scripts,cjs}{,/**/*}',
  '!**/node_modules/@noble/*/{*.js,src{,/**/*}}',
  '!**/node_modules/fflate/{lib,umd}{,/**/*}',
  '!**/node_modules/brotli/{build{,/**/*},compress.js,index.js}',
  '!**/node_modules/pako/dist{,/**/*}',
  // The standard PDF fonts: slips embed their own.
  '!**/node_modules/pdfkit/js/{data/*.afm,standard-fonts{,/**/*}}',
  // Only the program: its command line is this app's own.
  '!**/node_modules/pdf-to-printer/dist/!(*.exe){,/**/*}'
]

/** Contains a Windows program. */
const WINDOWS_ONLY = '!**/node_modules/pdf-to-printer{,/**/*}'

/** Returns the file that `@electron/fuses` changes: the executable, on macOS its bundle. */
const executableIn = ({ appOutDir, electronPlatformName, packager }: AfterPackContext): string => {
  const { productFilename } = packager.appInfo
  const names: Partial<Record<string, string>> = {
    darwin: `${productFilename}.app`,
    win32: `${productFilename}.exe`,
    linux: EXECUTABLE
  }
  return join(appOutDir, names[electronPlatformName] ?? productFilename)
}

/** What differs between builds of installers. */
export interface PackagingOptions {
  /** the system to pack for, and that packs */
  readonly platform: NodeJS.Platform
  /** URL of the update feed's folder; null: no feed is built in */
  readonly feed: string | null
}

/**
 * Returns the configuration for all three systems. Its paths are relative to the project's folder. `electronDist`, the
 * output folder and the targets may be overridden.
 */
export function packaging({ platform, feed }: PackagingOptions): Configuration {
  return {
    appId: 'app.tillpoints.till',
    productName: 'Tillpoints',
    copyright: 'Copyright © Tillpoints',
    directories: { output: DIST_FOLDER, buildResources: 'resources/packaging' },
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',

    files: [
      'out/main/**',
      'out/preload/**',
      'out/renderer/**',
      'package.json',
      ...unpackedPackages(PROJECT).map((name) => `!**/node_modules/${name}{,/**/*}`),
      ...UNUSED_FILES,
      ...(platform === 'win32' ? [] : [WINDOWS_ONLY])
    ],
    asar: true,
    // Windows cannot start a program inside an archive.
    asarUnpack: ['**/node_modules/pdf-to-printer/dist/*.exe'],
    extraResources: [
      // Fonts are opened by path, which an archive does not allow.
      { from: 'resources/fonts', to: 'fonts', filter: ['*.ttf', '*-LICENSE.txt', 'coverage.json'] },
      { from: ICON, to: 'icon.png' },
      { from: 'out/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' }
    ],
    extraMetadata: {
      updateFeed: feed,
      // The deb format requires a homepage; the project has none.
      homepage: 'https://tillpoints.invalid/'
    },
    // Chromium's own texts, such as context menus; the app's texts are in the page.
    electronLanguages: LANGUAGES.map((language) => (language === 'en' ? 'en-US' : language)),

    // No package has native code.
    npmRebuild: false,
    allowMissingDependencies: false,
    // `electronFuses` of electron-builder knows fewer fuses than Electron has.
    async afterPack(context: AfterPackContext) {
      await flipFuses(executableIn(context), fuseConfig(context.electronPlatformName, false))
    },
    // Writes app-update.yml and latest*.yml. Nothing is uploaded: `npm run dist` sets `publish: 'never'`.
    publish: { provider: 'generic', url: feed ?? 'https://updates.invalid/' },

    win: {
      target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
      icon: ICON,
      // The updater compares the publisher's name with the certificate of the installed app.
      verifyUpdateCodeSignature: true
    },
    nsis: {
      // The installer asks whether to install for this account or for all users, which needs an administrator.
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      // Uninstalling keeps the slips' journal.
      deleteAppDataOnUninstall: false,
      shortcutName: 'Tillpoints'
    },

    mac: {
      target: [
        { target: 'dmg', arch: ['arm64', 'x64'] },
        // The format of macOS updates.
        { target: 'zip', arch: ['arm64', 'x64'] }
      ],
      icon: ICON,
      category: 'public.app-category.business',
      hardenedRuntime: true,
      entitlements: 'resources/packaging/entitlements.mac.plist',
      entitlementsInherit: 'resources/packaging/entitlements.mac.plist',
      extendInfo: {
        NSLocalNetworkUsageDescription: 'Tillpoints prints on receipt printers in the shop’s network.'
      }
    },

    linux: {
      executableName: EXECUTABLE,
      target: [
        { target: 'AppImage', arch: ['x64'] },
        { target: 'deb', arch: ['x64'] }
      ],
      icon: ICON,
      // A customer display needs windows that can be placed, which native Wayland windows cannot. Without arguments of its
      // own, an AppImage would start without the sandbox.
      executableArgs: ['--ozone-platform=x11'],
      category: 'Office',
      synopsis: 'A till for loyalty points',
      maintainer: 'Tillpoints',
      desktop: { entry: { Keywords: 'till;loyalty;points;slip;receipt;', StartupWMClass: 'Tillpoints' } }
    },
    deb: { recommends: ['cups-client'] }
  }
}
