/** Imported by tests of whatever speaks or spells: English as it is written in Britain, loaded before the tests run. */
import { setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'

await setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' })
