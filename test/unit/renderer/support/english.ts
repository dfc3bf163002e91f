/** Sets British English before the tests run. Import it in tests of messages and formats. */
import { setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'

await setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' })
