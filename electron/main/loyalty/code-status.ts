/** Whether a code was used, or has ended, by the words of its service. */
import type { QrCode } from '../../contract/loyalty.ts'
import { normalizeForSearch } from '../../contract/text.ts'

/** Returns a status for comparison: letters only, without case and accents. "Not used" becomes "notused". */
const normalize = (status: string): string => normalizeForSearch(status).replace(/[^\p{L}]/gu, '')

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(/[,\n]/).map(normalize))

// The till requests responses in its language (`x-lang`), so a service may translate the status.
const USED = wordsOf(`used, redeemed, claimed, consumed, scanned, collected, credited, spent
  verwendet, benutzt, genutzt, eingelöst, verbraucht, gutgeschrieben
  utilisé, utilisée, consommé, consommée, encaissé, encaissée
  usado, usada, utilizado, utilizada, canjeado, canjeada, consumido, consumida
  χρησιμοποιήθηκε, χρησιμοποιημένο, χρησιμοποιημένος, έχει χρησιμοποιηθεί, εξαργυρώθηκε, εξαργυρωμένος
  مستخدم, مُستخدَم, مستعمل, تم استخدامه, تم الاستخدام, مستبدل`)
const UNUSED = wordsOf(`unused, not used, active, available, new, created, issued, pending, valid, open
  unclaimed, not claimed, unredeemed, not redeemed, unscanned, not scanned
  unbenutzt, ungenutzt, unverwendet, nicht verwendet, nicht benutzt, nicht genutzt, nicht eingelöst
  aktiv, verfügbar, neu, gültig, offen, ausstehend
  inutilisé, inutilisée, non utilisé, non utilisée, pas utilisé, pas utilisée
  actif, disponible, nouveau, valide, ouvert, en attente
  no usado, no usada, no utilizado, no utilizada, sin usar, no canjeado, no canjeada
  activo, activa, nuevo, nueva, válido, válida, abierto, abierta, pendiente
  αχρησιμοποίητο, αχρησιμοποίητος, μη χρησιμοποιημένο, μη χρησιμοποιημένος, δεν χρησιμοποιήθηκε
  δεν έχει χρησιμοποιηθεί, ενεργό, ενεργός, διαθέσιμο, διαθέσιμος, νέο, νέος, έγκυρο, έγκυρος, σε εκκρεμότητα
  غير مستخدم, لم يستخدم, غير مستعمل, نشط, متاح, متوفر, جديد, صالح, قيد الانتظار`)

const ENDED =
  wordsOf(`expired, cancelled, canceled, voided, void, revoked, withdrawn, invalid, disabled, deleted
  abgelaufen, verfallen, storniert, annulliert, widerrufen, ungültig, gelöscht
  expiré, expirée, périmé, périmée, annulé, annulée, révoqué, révoquée, invalide, supprimé, supprimée
  caducado, caducada, vencido, vencida, expirado, expirada, cancelado, cancelada, anulado, anulada, inválido, inválida
  έληξε, έχει λήξει, ληγμένο, ληγμένος, ακυρώθηκε, έχει ακυρωθεί, ακυρωμένο, ακυρωμένος, άκυρο, άκυρος
  منتهي, منتهي الصلاحية, انتهت صلاحيته, انتهت الصلاحية, ملغى, ملغي, تم إلغاؤه, غير صالح`)

/** Returns whether a date is real. Some services send the zero value of their date type, in the year 1 or 1970. */
const isRealDate = (moment: string): boolean => new Date(moment).getUTCFullYear() > 1970

/**
 * Returns whether a code was used: true with a date of use; otherwise by the word of its status in any language of the
 * till; null for any other word, which is shown as the service sent it. The interface of `GET /qr/{id}` specifies neither
 * the values of `status` nor `usedDate` before use.
 */
export const isCodeUsed = ({ usedDate, status }: Pick<QrCode, 'usedDate' | 'status'>): boolean | null => {
  if (usedDate !== null && isRealDate(usedDate)) return true
  const word = normalize(status)
  if (USED.has(word)) return true
  return UNUSED.has(word) ? false : null
}

/** Returns whether a code certainly cannot be collected any more: it was used, has expired or was cancelled. */
export const isCodeEnded = (qr: Pick<QrCode, 'usedDate' | 'status'>): boolean =>
  isCodeUsed(qr) === true || ENDED.has(normalize(qr.status))
