/** One word for each concept in each language, over all files of the till and of the service. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../../electron/contract/language.ts'
import { SERVICE_MESSAGES } from '../../../electron/service/api/messages.ts'
import { readMessages, textsOf, type Message } from '../../../resources/scripts/message-source.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const messagesOf = (group: string, language: Language) =>
  readMessages(join(PROJECT, 'resources/locales', group, `${language}.json`))

const textsIn = (groups: readonly string[], language: Language): string[] =>
  groups.flatMap((group) =>
    Object.entries(messagesOf(group, language)).flatMap(([key, message]) =>
      textsOf(message).map((text) => `${group} ${key}: ${text}`)
    )
  )

const tillTexts = (language: Language): string[] => [
  ...textsIn(['screen', 'slip', 'dialogs', 'customer-display'], language),
  ...Object.entries(SERVICE_MESSAGES[language]).map(([key, text]) => `service ${key}: ${text}`)
]

/** What each concept is called elsewhere, but not here: resources/locales/README.md has the words. */
const OTHER_WORDS: Readonly<Record<Language, Readonly<Record<string, RegExp>>>> = {
  en: {
    'phone number': /(valid|Check the|Its|Enter the) phone\b(?! number)|(This|The) phone is (already|too)/u
  },
  de: {
    'to collect': /Bons?\b[^.]* eingelöst|Eingelöste Bons|Bon einlösen|Punkte einlösen/u,
    'pairing code': /Verbindungscode/u,
    'phone number': /gültiges Telefon|Telefon (ist zu|sein)/u,
    'no cut': /Nicht schneiden/u,
    'list of slips': /Bons im Journal/u
  },
  fr: {
    'to collect': /encaiss|collecté|obtenir ses points|les reçoit/iu,
    'to redeem':
      /Récompense obtenue|Points dépensés|Récompenses remises|Cette remise|obtenir des récompenses/u,
    shop: /\bcommerce\b|boutique/iu,
    'phone number': /(Ce|un|Le) téléphone (est (déjà|trop)|valide|n’est pas)|Saisissez le téléphone/u,
    'test page': /page de test/iu,
    'no cut': /Ne pas couper/u,
    'list of slips': /Tickets dans le journal/u
  },
  es: {
    'to collect': /\bcobr|recibirlos|los reciba|(obtener sus|reunir|sumar) puntos/iu,
    shop: /comercio|negocio/iu,
    'pairing code': /código de vinculación|(programas?|caja) [^.]*vincul|vincul\S+ (un programa|la caja)/iu,
    bill: /\b(la|esta|una|de) cuenta\b|Cuenta (\{|de otro)/u,
    screen: /segunda pantalla|elegir la pantalla|Pantalla \{/u,
    slip: /\btique\b/iu,
    'in a time': /intentarlo (de nuevo )?en/u
  },
  el: {
    'to collect': /μαζεύ|πάρει τους πόντους|τους πάρετε|εξαργυρώνεται ο κωδικός/iu,
    bill: /λογαριασμ/iu,
    'to discard': /απορρίπτει κουπόνια|Απόρριψη|iscarded: Απορρίφθηκ/u,
    slip: /χαρτάκι/iu,
    token: /διακριτικ/iu,
    reward: /επιβράβευσ/iu,
    new: /νέον/iu,
    'list of slips': /ημερολόγιο/u
  },
  ar: {
    token: /رمز الدخول/u,
    till: /نقطة البيع/u,
    'pairing code': /رمز الربط|رمز ربط/u,
    'no cut': /بدون قص/u,
    'order of alif and tanwin': /اً/u
  }
}

/** The same on the service's pages, where an account may be the customer's own. */
const OTHER_WORDS_OF_PAGES: Readonly<Record<Language, Readonly<Record<string, RegExp>>>> = {
  en: { 'phone number': /Name, phone and|phone is (already|too)/u },
  de: {
    'to collect':
      /(Bons?|Code)\b[^.]* (eingelöst|einlös)|[Ee]ingelöste (Bons|Punkte)|[Ee]inlösbar|\{code\} eingelöst|Eingelöst am/u,
    'pairing code': /Verbindungscode/u,
    'phone number': /Name, Telefon und/u
  },
  fr: {
    'to collect': /encaiss|collecté|[Pp]oints reçus|Recevoir|recevoir|[Gg]agne[rz]/u,
    'to redeem': /dépens|\bremis|Récompenses? (obtenue|donnée)/u,
    shop: /commer[cç]|boutique/iu
  },
  es: {
    'to collect': /\bcobr|acumul|recibirlos/iu,
    'to cancel a code': /Cancelado el|código está cancelado|Cancelar el código/u,
    'pairing code': /código de vinculación/u,
    shop: /comercio|negocio/iu
  },
  el: {
    'to collect': /μαζεύ|πάρει τους πόντους/iu,
    'to redeem': /που δόθηκαν|ξοδέψ|Πόντοι για δώρα/u,
    'pairing code': /κωδικού? σύνδεσης|Κωδικός σύνδεσης/u,
    reward: /επιβράβευσ/iu
  },
  ar: {
    'to collect': /جمع|جُمع/u,
    'pairing code': /رمز الربط|رمز ربط/u,
    'order of alif and tanwin': /اً/u
  }
}

const choicesOf = (message: Message | undefined) => (typeof message === 'object' ? message.match : {})

describe.each(LANGUAGES)('%s', (language) => {
  test.each(Object.entries(OTHER_WORDS[language]))('has one word for: %s', (_concept, otherWords) => {
    expect(tillTexts(language).filter((text) => otherWords.test(text))).toEqual([])
  })

  test.each(Object.entries(OTHER_WORDS_OF_PAGES[language]))(
    'has one word on the pages for: %s',
    (_concept, otherWords) => {
      expect(textsIn(['pages', 'manage'], language).filter((text) => otherWords.test(text))).toEqual([])
    }
  )

  test('names the cuts of the paper alike on the test page and in the settings', () => {
    expect(choicesOf(messagesOf('slip', language)['testPageCut'])).toEqual(
      choicesOf(messagesOf('screen', language)['cutKind'])
    )
  })
})

test.each(['fr', 'es'] as const)('%s says what a million is of', (language) => {
  for (const group of ['screen', 'slip', 'dialogs', 'customer-display']) {
    for (const [key, message] of Object.entries(messagesOf(group, language))) {
      const millions = choicesOf(message)['countPlural=many']
      if (
        millions !== undefined &&
        /(^|\{number\} )p[ou][^ ]*nt/u.test(choicesOf(message)['countPlural=other'] ?? '')
      )
        expect(`${group} ${key}: ${millions}`).toMatch(/\bde p[ou]/u)
    }
  }
})
