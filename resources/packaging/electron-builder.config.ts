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

/** One PNG of 1024 pixels; electron-builder makes the formats and sizes of macOS from it. */
const ICON = 'resources/icons/icon.png'

/** All sizes of Windows: electron-builder would download a converter for them. */
const WINDOWS_ICON = 'resources/icons/icon.ico'

/** The icon of Linux desktops, which find no PNG of 1024 pixels: their icon theme ends at 512. */
const LINUX_ICON = 'resources/icons/icon.svg'

/** The id of the app on every system. */
export const APP_ID = 'app.tillpoints.till'

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
  // Sources of native code, which comes compiled.
  '!**/node_modules/@serialport/bindings-cpp/{binding.gyp,src{,/**/*}}',
  '!**/node_modules/{node-addon-api{,/**/*},node-gyp-build/{bin,build-test,optional}.js}',
  // Only the program: its command line is this app's own.
  '!**/node_modules/pdf-to-printer/dist/!(*.exe){,/**/*}'
]

/** Contains a Windows program. */
const WINDOWS_ONLY = '!**/node_modules/pdf-to-printer{,/**/*}'

/**
 * Returns the pattern of native code for other systems. electron-builder replaces `${arch}` by the architecture that it
 * packs; the binary for macOS is for both. Each is for Node-API, so that Node and every Electron load the same file.
 */
const foreignNativeCode = (platform: NodeJS.Platform): string => {
  const own = platform === 'darwin' ? 'darwin-x64+arm64' : `${platform}-\${arch}`
  return `!**/node_modules/@serialport/bindings-cpp/prebuilds/!(${own}){,/**/*}`
}

/** The binary for Linux systems with another C library than those that a deb or AppImage of Electron runs on. */
const MUSL_CODE = '!**/node_modules/@serialport/bindings-cpp/prebuilds/*/*.musl.node'

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

/**
 * The libraries that Electron loads and a desktop may lack. electron-builder's list has neither libgbm1 nor libasound2,
 * and Electron does not start without them
 * (https://github.com/electron-userland/electron-builder/issues/4346, issues/7234). The native code of the serial
 * port library needs libc6 and libstdc++6.
 */
const DEB_DEPENDENCIES = [
  'libasound2',
  'libatspi2.0-0',
  'libc6 (>= 2.28)',
  'libgbm1',
  'libgtk-3-0',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'libstdc++6',
  'libuuid1',
  'libxss1',
  'libxtst6',
  'xdg-utils'
]

/** Returns the files of the deb outside the app's folder, as arguments of fpm. */
const debFiles = (packageName: string): string[] => {
  const files = {
    'app.tillpoints.till.metainfo.xml': `/usr/share/metainfo/${APP_ID}.metainfo.xml`,
    copyright: `/usr/share/doc/${packageName}/copyright`,
    'lintian-overrides': `/usr/share/lintian/overrides/${packageName}`
  }
  return Object.entries(files).map(
    ([file, target]) => `${join(PROJECT, 'resources/packaging/linux', file)}=${target}`
  )
}

/** What differs between builds of installers. */
export interface PackagingOptions {
  /** the system to pack for, and that packs */
  readonly platform: NodeJS.Platform
  /** URL of the update feed's folder; null: no feed is built in */
  readonly feed: string | null
  /** marks the installers as test builds, which contain the Electron stand-in; `version` is marked too */
  readonly standIn?: { readonly version: string }
  /** whether Playwright may drive the app; see `fuseConfig` */
  readonly driven?: boolean
}

/**
 * Returns the configuration for all three systems. Its paths are relative to the project's folder, except those of fpm.
 * `electronDist`, the output folder and the targets may be overridden.
 */
export function packaging({ platform, feed, standIn, driven = false }: PackagingOptions): Configuration {
  const mark = standIn ? '-stand-in' : ''
  const debName = `${EXECUTABLE}${mark}`
  return {
    appId: APP_ID,
    productName: 'Tillpoints',
    copyright: 'Copyright © Tillpoints',
    // The bill link: macOS and Linux. The AppImage registers nothing by itself.
    protocols: [{ name: 'Tillpoints bill', schemes: ['tillpoints'], role: 'Viewer' }],
    directories: { output: DIST_FOLDER, buildResources: 'resources/packaging' },
    artifactName: `\${productName}${mark}-\${version}-\${os}-\${arch}.\${ext}`,

    files: [
      'out/main/**',
      'out/preload/**',
      'out/renderer/**',
      'package.json',
      ...unpackedPackages(PROJECT).map((name) => `!**/node_modules/${name}{,/**/*}`),
      ...UNUSED_FILES,
      foreignNativeCode(platform),
      MUSL_CODE,
      ...(platform === 'win32' ? [] : [WINDOWS_ONLY])
    ],
    asar: true,
    // No system can start a program or load native code inside an archive.
    asarUnpack: [
      '**/node_modules/pdf-to-printer/dist/*.exe',
      '**/node_modules/@serialport/bindings-cpp/prebuilds/**'
    ],
    extraResources: [
      // Fonts are opened by path, which an archive does not allow.
      { from: 'resources/fonts', to: 'fonts', filter: ['*.ttf', '*-LICENSE.txt', 'coverage.json'] },
      { from: ICON, to: 'icon.png' },
      // For administrators, beside the version that they are for.
      { from: 'resources/policy', to: 'policy', filter: ['**/tillpoints.*'] },
      { from: 'out/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' }
    ],
    extraMetadata: {
      updateFeed: feed,
      ...(standIn && { version: `${standIn.version}-standin` }),
      // The deb format requires a homepage; the project has none.
      homepage: 'https://tillpoints.invalid/'
    },
    // Chromium's own texts, such as context menus; the app's texts are in the page.
    electronLanguages: LANGUAGES.map((language) => (language === 'en' ? 'en-US' : language)),

    // Native code comes compiled.
    npmRebuild: false,
    allowMissingDependencies: false,
    // `electronFuses` of electron-builder knows fewer fuses than Electron has.
    async afterPack(context: AfterPackContext) {
      await flipFuses(executableIn(context), fuseConfig(context.electronPlatformName, driven))
    },
    // Writes app-update.yml and latest*.yml. Nothing is uploaded: `npm run dist` sets `publish: 'never'`.
    publish: { provider: 'generic', url: feed ?? 'https://updates.invalid/' },

    win: {
      target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
      icon: WINDOWS_ICON,
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
      shortcutName: 'Tillpoints',
      include: 'resources/packaging/bill-link.nsh'
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
      icon: LINUX_ICON,
      // A customer display needs windows that can be placed, which native Wayland windows cannot. Without arguments of its
      // own, an AppImage would start without the sandbox.
      executableArgs: ['--ozone-platform=x11'],
      category: 'Office',
      synopsis: standIn
        ? 'Test build of Tillpoints without Electron: not for tills'
        : 'Till for loyalty points',
      // The desktop file has the name that package.json passes to Electron, so that desktops match windows to it.
      syncDesktopName: true,
      desktop: { entry: { Keywords: 'till;loyalty;points;slip;receipt;' } }
    },
    deb: {
      packageName: debName,
      packageCategory: 'utils',
      depends: DEB_DEPENDENCIES,
      recommends: ['cups-client'],
      fpm: debFiles(debName)
    }
  }
}
