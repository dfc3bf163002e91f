/** How the built till becomes a program to install, for electron-builder (https://www.electron.build/configuration). */
import { flipFuses } from '@electron/fuses'
import type { AfterPackContext, Configuration } from 'electron-builder'
import { join } from 'node:path'
import { fuseConfig } from './fuses.ts'

/** Where `npm run dist` writes, below the project's folder. */
export const DIST_FOLDER = 'out/dist'

/** Name of the program on Linux. */
const EXECUTABLE = 'tillpoints'

/** Of the packages in `dependencies`: what Node never loads in the till. */
const NOT_PACKED = [
  // For other builds, editors and readers.
  '!**/node_modules/**/*.{map,ts,mts,cts,flow,md,markdown,html,yml,yaml}',
  '!**/node_modules/**/{.yarn,.github,test,tests,docs,examples,tools}{,/**/*}',
  '!**/node_modules/**/{jsconfig.json,*.config.*}',
  // Each of these comes as several builds of the same code; the one that Node takes stays.
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
  // Fonts that printers have by themselves: a slip carries its own.
  '!**/node_modules/pdfkit/js/{data/*.afm,standard-fonts{,/**/*}}'
]

/** Prints on Windows, and is a program for Windows. */
const WINDOWS_ONLY = '!**/node_modules/pdf-to-printer{,/**/*}'

/** What `@electron/fuses` changes: the executable, or on macOS the bundle around it. */
const executableIn = ({ appOutDir, electronPlatformName, packager }: AfterPackContext): string => {
  const { productFilename } = packager.appInfo
  const names: Partial<Record<string, string>> = {
    darwin: `${productFilename}.app`,
    win32: `${productFilename}.exe`,
    linux: EXECUTABLE
  }
  return join(appOutDir, names[electronPlatformName] ?? productFilename)
}

/** What differs between packings. */
export interface PackagingOptions {
  /** the system to pack for, which is the one that packs */
  readonly platform: NodeJS.Platform
  /** address of the folder on a web server that updates come from; null: none is built in */
  readonly feed: string | null
}

/**
 * The configuration for all three systems. Its paths start at the project's folder.
 * `electronDist`, the output's folder and the targets may be set on top of it.
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
      ...NOT_PACKED,
      ...(platform === 'win32' ? [] : [WINDOWS_ONLY])
    ],
    asar: true,
    // A program of its own, which Windows can't start out of an archive.
    asarUnpack: ['**/node_modules/pdf-to-printer/dist/*.exe'],
    extraResources: [
      // Read where they lie: a font is opened by its path.
      { from: 'resources/fonts', to: 'fonts', filter: ['*.ttf', '*-LICENSE.txt', 'coverage.json'] },
      { from: 'resources/icons/linux/512x512.png', to: 'icon.png' },
      { from: 'out/THIRD-PARTY-LICENCES.txt', to: 'THIRD-PARTY-LICENCES.txt' }
    ],
    extraMetadata: {
      updateFeed: feed,
      // Debian's format asks for an address; the till has no page of its own.
      homepage: 'https://tillpoints.invalid/'
    },
    // Chromium's own words (menus of text fields); the till's are in the page.
    electronLanguages: ['en-US', 'de', 'el', 'es', 'fr', 'ar'],

    // No package is native: nothing to rebuild.
    npmRebuild: false,
    allowMissingDependencies: false,
    // Not electron-builder's own setting, which knows fewer fuses than Electron has and lets the others be.
    async afterPack(context: AfterPackContext) {
      await flipFuses(executableIn(context), fuseConfig(context.electronPlatformName, false))
    },
    // Writes app-update.yml and latest*.yml. Nothing is uploaded: `npm run dist` says `publish: 'never'`.
    publish: { provider: 'generic', url: feed ?? 'https://updates.invalid/' },

    win: {
      target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
      icon: 'resources/icons/icon.ico',
      // Updates are checked against the name in the certificate that signed the installed till.
      verifyUpdateCodeSignature: true
    },
    nsis: {
      // One installer asks for whom: this account, or the whole machine (which needs an administrator).
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      // The journal of slips outlives the program.
      deleteAppDataOnUninstall: false,
      shortcutName: 'Tillpoints'
    },

    mac: {
      target: [
        { target: 'dmg', arch: ['arm64', 'x64'] },
        // What macOS updates itself from.
        { target: 'zip', arch: ['arm64', 'x64'] }
      ],
      icon: 'resources/icons/icon.icns',
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
      icon: 'resources/icons/linux',
      category: 'Office',
      synopsis: 'A till for loyalty points',
      maintainer: 'Tillpoints',
      desktop: { entry: { Keywords: 'till;loyalty;points;slip;receipt;', StartupWMClass: 'Tillpoints' } }
    },
    deb: { recommends: ['cups-client'] }
  }
}
