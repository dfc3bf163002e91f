/** The error messages of credits, returns and codes without a connection, which `messages.ts` has with all others. */
export const SALE_MESSAGES = {
  en: {
    'offline-codes-off': 'Codes without a connection are switched off',
    'credit-unknown': 'No such credit',
    'credit-reversed': 'This credit was undone already',
    'credit-limit-reached': 'The points that a till may credit on a day are used up',
    'credit-needs-approval': 'Points above the limit of a day need the approval of a manager at the till',
    'purchase-unknown': 'No such purchase',
    'purchase-ambiguous': 'Several purchases have this reference',
    'purchase-returned': 'Points of this purchase were taken back already',
    'return-too-much': 'Of this purchase {remaining} points remain',
    'code-expired': 'This code has expired',
    'code-cancelled': 'This code was cancelled'
  },
  el: {
    'offline-codes-off': 'Οι κωδικοί χωρίς σύνδεση είναι απενεργοποιημένοι',
    'credit-unknown': 'Δεν υπάρχει τέτοια πίστωση',
    'credit-reversed': 'Αυτή η πίστωση έχει ήδη αναιρεθεί',
    'credit-limit-reached': 'Οι πόντοι που μπορεί να πιστώσει ένα ταμείο σε μία ημέρα έχουν εξαντληθεί',
    'credit-needs-approval':
      'Οι πόντοι πάνω από το όριο της ημέρας χρειάζονται την έγκριση υπευθύνου στο ταμείο',
    'purchase-unknown': 'Δεν υπάρχει τέτοια αγορά',
    'purchase-ambiguous': 'Αυτή την αναφορά έχουν πολλές αγορές',
    'purchase-returned': 'Πόντοι αυτής της αγοράς έχουν ήδη αφαιρεθεί',
    'return-too-much': 'Από αυτή την αγορά απομένουν {remaining} πόντοι',
    'code-expired': 'Αυτός ο κωδικός έχει λήξει',
    'code-cancelled': 'Αυτός ο κωδικός ακυρώθηκε'
  },
  de: {
    'offline-codes-off': 'Codes ohne Verbindung sind ausgeschaltet',
    'credit-unknown': 'Diese Gutschrift gibt es nicht',
    'credit-reversed': 'Diese Gutschrift wurde schon rückgängig gemacht',
    'credit-limit-reached': 'Die Punkte, die eine Kasse an einem Tag gutschreiben darf, sind aufgebraucht',
    'credit-needs-approval': 'Punkte über der Grenze eines Tages muss die Leitung an der Kasse freigeben',
    'purchase-unknown': 'Diesen Einkauf gibt es nicht',
    'purchase-ambiguous': 'Mehrere Einkäufe haben diese Referenz',
    'purchase-returned': 'Punkte dieses Einkaufs wurden schon zurückgenommen',
    'return-too-much': 'Von diesem Einkauf bleiben {remaining} Punkte',
    'code-expired': 'Dieser Code ist abgelaufen',
    'code-cancelled': 'Dieser Code wurde storniert'
  },
  fr: {
    'offline-codes-off': 'Les codes sans connexion sont désactivés',
    'credit-unknown': 'Ce crédit n’existe pas',
    'credit-reversed': 'Ce crédit a déjà été annulé',
    'credit-limit-reached': 'Les points qu’une caisse peut créditer en un jour sont épuisés',
    'credit-needs-approval':
      'Au-delà de la limite du jour, un responsable doit approuver les points à la caisse',
    'purchase-unknown': 'Cet achat n’existe pas',
    'purchase-ambiguous': 'Plusieurs achats ont cette référence',
    'purchase-returned': 'Des points de cet achat ont déjà été repris',
    'return-too-much': 'De cet achat, il reste {remaining} points',
    'code-expired': 'Ce code a expiré',
    'code-cancelled': 'Ce code a été annulé'
  },
  es: {
    'offline-codes-off': 'Los códigos sin conexión están desactivados',
    'credit-unknown': 'No existe ese abono',
    'credit-reversed': 'Este abono ya se deshizo',
    'credit-limit-reached': 'Se han agotado los puntos que una caja puede abonar en un día',
    'credit-needs-approval':
      'Por encima del límite del día, un responsable debe aprobar los puntos en la caja',
    'purchase-unknown': 'No existe esa compra',
    'purchase-ambiguous': 'Varias compras tienen esta referencia',
    'purchase-returned': 'Ya se retiraron puntos de esta compra',
    'return-too-much': 'De esta compra quedan {remaining} puntos',
    'code-expired': 'Este código ha caducado',
    'code-cancelled': 'Este código fue anulado'
  },
  ar: {
    'offline-codes-off': 'الرموز من دون اتصال متوقفة',
    'credit-unknown': 'لا توجد عملية إضافة كهذه',
    'credit-reversed': 'تم التراجع عن هذه الإضافة من قبل',
    'credit-limit-reached': 'استُنفدت النقاط التي يمكن للصندوق إضافتها في اليوم',
    'credit-needs-approval': 'النقاط التي تتجاوز حد اليوم تحتاج إلى موافقة مشرف عند الصندوق',
    'purchase-unknown': 'لا توجد عملية شراء كهذه',
    'purchase-ambiguous': 'توجد عدة عمليات شراء بهذا المرجع',
    'purchase-returned': 'سُحبت نقاط من عملية الشراء هذه من قبل',
    'return-too-much': 'بقي من عملية الشراء هذه {remaining} من النقاط',
    'code-expired': 'انتهت صلاحية هذا الرمز',
    'code-cancelled': 'أُلغي هذا الرمز'
  }
} as const
