/** What is written on the buttons that people look for, in any language of the till. */
import type { Language } from '../../../electron/contract/language.ts'
import * as ar from '../../../generated/messages/screen/ar.js'
import * as de from '../../../generated/messages/screen/de.js'
import * as el from '../../../generated/messages/screen/el.js'
import * as en from '../../../generated/messages/screen/en.js'
import * as es from '../../../generated/messages/screen/es.js'
import * as fr from '../../../generated/messages/screen/fr.js'

export type Words = typeof en

/** The screen's words by language. */
export const WORDS: Readonly<Record<Language, Words>> = { ar, de, el, en, es, fr }
