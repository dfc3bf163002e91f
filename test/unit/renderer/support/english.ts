/** Imported by tests of whatever speaks or spells: English as it is written in Britain, loaded before the tests run. */
import { speak, speakAll } from '../../../../renderer/src/i18n/speech.svelte.ts'

await speakAll()
await speak({ language: 'en', slipLanguage: 'en', country: 'GB' })
