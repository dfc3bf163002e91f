/** The error messages of credits, which `messages.ts` has with all others. */
export const SALE_MESSAGES = {
  en: {
    'credit-unknown': 'No such credit',
    'credit-reversed': 'This credit was undone already',
    'credit-limit-reached': 'The points that a till may credit on a day are used up'
  },
  el: {
    'credit-unknown': 'Δεν υπάρχει τέτοια πίστωση',
    'credit-reversed': 'Αυτή η πίστωση έχει ήδη αναιρεθεί',
    'credit-limit-reached': 'Οι πόντοι που μπορεί να πιστώσει ένα ταμείο σε μία ημέρα έχουν εξαντληθεί'
  },
  de: {
    'credit-unknown': 'Diese Gutschrift gibt es nicht',
    'credit-reversed': 'Diese Gutschrift wurde schon rückgängig gemacht',
    'credit-limit-reached': 'Die Punkte, die eine Kasse an einem Tag gutschreiben darf, sind aufgebraucht'
  },
  fr: {
    'credit-unknown': 'Ce crédit n’existe pas',
    'credit-reversed': 'Ce crédit a déjà été annulé',
    'credit-limit-reached': 'Les points qu’une caisse peut créditer en un jour sont épuisés'
  },
  es: {
    'credit-unknown': 'No existe ese abono',
    'credit-reversed': 'Este abono ya se deshizo',
    'credit-limit-reached': 'Se han agotado los puntos que una caja puede abonar en un día'
  },
  ar: {
    'credit-unknown': 'لا توجد عملية إضافة كهذه',
    'credit-reversed': 'تم التراجع عن هذه الإضافة من قبل',
    'credit-limit-reached': 'استُنفدت النقاط التي يمكن للصندوق إضافتها في اليوم'
  }
} as const
