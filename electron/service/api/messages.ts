/** The error messages of the service. English is the default of `x-lang`. */
const en = {
  'credentials-missing': 'The header Authorization: Bearer <token> is missing',
  'credentials-not-bearer': 'The Authorization header must read: Bearer <token>',
  'token-unknown': 'This token is not known',
  'token-revoked': 'This token was revoked; pair the till again',
  'pairing-code-unknown': 'This pairing code is not known, was used or has expired; create a new one',
  'pairing-code-elsewhere': 'This pairing code belongs to another business',
  'attempts-too-many': 'There were too many attempts; try again in {minutes} minutes',
  'pairing-code-missing': 'code is required and must be a string',
  'token-expired': 'token expired',
  'customer-exists': 'A customer with this phone already exists',
  'customer-unknown': 'No such customer',
  'reward-unknown': 'No such reward',
  'code-unknown': 'No such QR code',
  'name-missing': 'name is required and must be a string',
  'name-too-long': 'name must be at most {max} characters long',
  'name-malformed': 'name must not contain control characters',
  'phone-missing': 'phone is required and must be a string',
  'phone-malformed': 'phone must be in international format with a leading plus sign',
  'email-malformed': 'email must be an e-mail address',
  'points-not-whole': 'points must be a whole number, 1 or more',
  'points-too-many': 'points must not be above {max}',
  'page-malformed': '{parameter} must be a whole number, 1 or more',
  'type-unknown': 'type must be id, phone or email',
  'search-too-long': 'name must be at most {max} characters long',
  'path-unknown': 'Unknown path',
  'method-not-allowed': 'This address supports only {allowed}',
  'body-too-large': 'The body must be at most {max} bytes long',
  'body-not-json': 'The body must be JSON',
  'body-not-object': 'The body must be a JSON object',
  'media-type-unsupported': 'The body must be sent as application/json',
  'body-malformed': 'The body has a field that is missing or malformed',
  'idempotency-key-malformed':
    'The header Idempotency-Key must have 8 to 100 printable characters without spaces',
  'idempotency-key-reused': 'This Idempotency-Key was used for another request',
  'redemption-unknown': 'No such redemption',
  'redemption-reversed': 'This redemption was undone already',
  'reversal-too-late': 'The time in which a till may undo this has passed',
  'reward-disabled': 'This reward is disabled',
  'price-changed': 'The reward has another price now',
  'points-too-few': 'The customer has too few points',
  'customer-code-unknown': 'This customer code is not of this shop',
  'customer-code-used': 'This customer code was used already; the phone shows a new one',
  'customer-code-expired': 'This customer code has expired; the phone shows a new one',
  'digits-unknown': 'No phone shows these digits now; open the page on it again',
  'cursor-malformed': 'since must be a cursor of this service or a moment such as 2026-11-25T08:00:00.000Z',
  'request-malformed': 'The request could not be read',
  unavailable: 'The service is not available now; please try again in a minute',
  'storage-full': 'The disk of the service is full: nothing was stored',
  internal: 'The service failed; please try again'
} as const

export type ServiceMessageKey = keyof typeof en
type ServiceMessages = Readonly<Record<ServiceMessageKey, string>>

const el: ServiceMessages = {
  'credentials-missing': 'Λείπει η κεφαλίδα Authorization: Bearer <token>',
  'credentials-not-bearer': 'Η κεφαλίδα Authorization πρέπει να έχει τη μορφή: Bearer <token>',
  'token-unknown': 'Αυτό το κλειδί πρόσβασης δεν είναι γνωστό',
  'token-revoked': 'Αυτό το κλειδί πρόσβασης ανακλήθηκε· συνδέστε ξανά το ταμείο',
  'pairing-code-unknown':
    'Αυτός ο κωδικός σύζευξης δεν είναι γνωστός, έχει χρησιμοποιηθεί ή έχει λήξει· δημιουργήστε νέο',
  'pairing-code-elsewhere': 'Αυτός ο κωδικός σύζευξης ανήκει σε άλλη επιχείρηση',
  'attempts-too-many': 'Έγιναν πάρα πολλές προσπάθειες· δοκιμάστε ξανά σε {minutes} λεπτά',
  'pairing-code-missing': 'Το code είναι υποχρεωτικό και πρέπει να είναι κείμενο',
  'token-expired': 'το κλειδί πρόσβασης έχει λήξει',
  'customer-exists': 'Υπάρχει ήδη πελάτης με αυτό το τηλέφωνο',
  'customer-unknown': 'Δεν υπάρχει τέτοιος πελάτης',
  'reward-unknown': 'Δεν υπάρχει τέτοιο δώρο',
  'code-unknown': 'Δεν υπάρχει τέτοιος κωδικός QR',
  'name-missing': 'Το name είναι υποχρεωτικό και πρέπει να είναι κείμενο',
  'name-too-long': 'Το name μπορεί να έχει το πολύ {max} χαρακτήρες',
  'name-malformed': 'Το name δεν επιτρέπεται να περιέχει χαρακτήρες ελέγχου',
  'phone-missing': 'Το phone είναι υποχρεωτικό και πρέπει να είναι κείμενο',
  'phone-malformed': 'Το phone πρέπει να είναι σε διεθνή μορφή με το σύμβολο + στην αρχή',
  'email-malformed': 'Το email πρέπει να είναι διεύθυνση ηλεκτρονικού ταχυδρομείου',
  'points-not-whole': 'Το points πρέπει να είναι ακέραιος αριθμός, από 1 και πάνω',
  'points-too-many': 'Το points δεν μπορεί να ξεπερνά το {max}',
  'page-malformed': 'Το {parameter} πρέπει να είναι ακέραιος αριθμός, από 1 και πάνω',
  'type-unknown': 'Το type πρέπει να είναι id, phone ή email',
  'search-too-long': 'Το name μπορεί να έχει το πολύ {max} χαρακτήρες',
  'path-unknown': 'Δεν υπάρχει τίποτα σε αυτή τη διεύθυνση',
  'method-not-allowed': 'Αυτή η διεύθυνση δέχεται μόνο {allowed}',
  'body-too-large': 'Το σώμα μπορεί να έχει το πολύ {max} byte',
  'body-not-json': 'Το σώμα πρέπει να είναι JSON',
  'body-not-object': 'Το σώμα πρέπει να είναι αντικείμενο JSON',
  'media-type-unsupported': 'Το σώμα πρέπει να σταλεί ως application/json',
  'body-malformed': 'Ένα πεδίο του σώματος λείπει ή δεν είναι σωστό',
  'idempotency-key-malformed':
    'Η κεφαλίδα Idempotency-Key πρέπει να έχει 8 έως 100 εκτυπώσιμους χαρακτήρες χωρίς κενά',
  'idempotency-key-reused': 'Αυτό το Idempotency-Key χρησιμοποιήθηκε για άλλο αίτημα',
  'redemption-unknown': 'Δεν υπάρχει τέτοια εξαργύρωση',
  'redemption-reversed': 'Αυτή η εξαργύρωση έχει ήδη αναιρεθεί',
  'reversal-too-late': 'Πέρασε ο χρόνος στον οποίο ένα ταμείο μπορεί να το αναιρέσει',
  'reward-disabled': 'Αυτό το δώρο είναι ανενεργό',
  'price-changed': 'Το δώρο έχει πλέον άλλη τιμή',
  'points-too-few': 'Ο πελάτης δεν έχει αρκετούς πόντους',
  'customer-code-unknown': 'Αυτός ο κωδικός πελάτη δεν είναι αυτού του καταστήματος',
  'customer-code-used': 'Αυτός ο κωδικός πελάτη έχει ήδη χρησιμοποιηθεί· το τηλέφωνο δείχνει νέο',
  'customer-code-expired': 'Αυτός ο κωδικός πελάτη έχει λήξει· το τηλέφωνο δείχνει νέο',
  'digits-unknown': 'Κανένα τηλέφωνο δεν δείχνει τώρα αυτά τα ψηφία· ανοίξτε ξανά τη σελίδα του',
  'cursor-malformed':
    'Το since πρέπει να είναι δείκτης αυτής της υπηρεσίας ή στιγμή όπως 2026-11-25T08:00:00.000Z',
  'request-malformed': 'Το αίτημα δεν μπόρεσε να διαβαστεί',
  unavailable: 'Η υπηρεσία δεν είναι διαθέσιμη τώρα· δοκιμάστε ξανά σε ένα λεπτό',
  'storage-full': 'Ο δίσκος της υπηρεσίας είναι γεμάτος: δεν αποθηκεύτηκε τίποτα',
  internal: 'Η υπηρεσία απέτυχε· δοκιμάστε ξανά'
}

const de: ServiceMessages = {
  'credentials-missing': 'Der Header Authorization: Bearer <token> fehlt',
  'credentials-not-bearer': 'Der Header Authorization muss lauten: Bearer <token>',
  'token-unknown': 'Dieses Token ist nicht bekannt',
  'token-revoked': 'Dieses Token wurde widerrufen; koppeln Sie die Kasse neu',
  'pairing-code-unknown':
    'Dieser Kopplungscode ist nicht bekannt, wurde benutzt oder ist abgelaufen; erzeugen Sie einen neuen',
  'pairing-code-elsewhere': 'Dieser Kopplungscode gehört zu einem anderen Geschäft',
  'attempts-too-many': 'Es gab zu viele Versuche; versuchen Sie es in {minutes} Minuten noch einmal',
  'pairing-code-missing': 'code ist erforderlich und muss ein Text sein',
  'token-expired': 'Token abgelaufen',
  'customer-exists': 'Ein Kunde mit dieser Telefonnummer existiert bereits',
  'customer-unknown': 'Diesen Kunden gibt es nicht',
  'reward-unknown': 'Diese Prämie gibt es nicht',
  'code-unknown': 'Diesen QR-Code gibt es nicht',
  'name-missing': 'name ist erforderlich und muss ein Text sein',
  'name-too-long': 'name darf höchstens {max} Zeichen lang sein',
  'name-malformed': 'name darf keine Steuerzeichen enthalten',
  'phone-missing': 'phone ist erforderlich und muss ein Text sein',
  'phone-malformed': 'phone muss im internationalen Format mit führendem Pluszeichen stehen',
  'email-malformed': 'email muss eine E-Mail-Adresse sein',
  'points-not-whole': 'points muss eine ganze Zahl ab 1 sein',
  'points-too-many': 'points darf nicht über {max} liegen',
  'page-malformed': '{parameter} muss eine ganze Zahl ab 1 sein',
  'type-unknown': 'type muss id, phone oder email sein',
  'search-too-long': 'name darf höchstens {max} Zeichen lang sein',
  'path-unknown': 'Unter dieser Adresse gibt es nichts',
  'method-not-allowed': 'Diese Adresse nimmt nur {allowed} an',
  'body-too-large': 'Der Inhalt darf höchstens {max} Bytes lang sein',
  'body-not-json': 'Der Inhalt muss JSON sein',
  'body-not-object': 'Der Inhalt muss ein JSON-Objekt sein',
  'media-type-unsupported': 'Der Inhalt muss als application/json gesendet werden',
  'body-malformed': 'Ein Feld des Inhalts fehlt oder ist ungültig',
  'idempotency-key-malformed':
    'Der Header Idempotency-Key braucht 8 bis 100 druckbare Zeichen ohne Leerzeichen',
  'idempotency-key-reused': 'Dieser Idempotency-Key gehört zu einer anderen Anfrage',
  'redemption-unknown': 'Diese Einlösung gibt es nicht',
  'redemption-reversed': 'Diese Einlösung wurde schon rückgängig gemacht',
  'reversal-too-late': 'Die Zeit, in der eine Kasse das rückgängig machen darf, ist vorbei',
  'reward-disabled': 'Diese Prämie ist deaktiviert',
  'price-changed': 'Die Prämie kostet jetzt etwas anderes',
  'points-too-few': 'Der Kunde hat zu wenige Punkte',
  'customer-code-unknown': 'Dieser Kundencode gehört nicht zu diesem Geschäft',
  'customer-code-used': 'Dieser Kundencode wurde schon verwendet; das Telefon zeigt einen neuen',
  'customer-code-expired': 'Dieser Kundencode ist abgelaufen; das Telefon zeigt einen neuen',
  'digits-unknown': 'Kein Telefon zeigt gerade diese Ziffern; bitte die Seite dort neu öffnen',
  'cursor-malformed':
    'since muss ein Cursor dieses Dienstes sein oder ein Zeitpunkt wie 2026-11-25T08:00:00.000Z',
  'request-malformed': 'Die Anfrage war nicht lesbar',
  unavailable: 'Der Dienst ist gerade nicht erreichbar; bitte in einer Minute erneut versuchen',
  'storage-full': 'Die Festplatte des Dienstes ist voll: nichts wurde gespeichert',
  internal: 'Der Dienst ist gescheitert; bitte erneut versuchen'
}

const fr: ServiceMessages = {
  'credentials-missing': "L'en-tête Authorization: Bearer <token> est absent",
  'credentials-not-bearer': "L'en-tête Authorization doit être de la forme : Bearer <token>",
  'token-unknown': "Ce jeton n'est pas connu",
  'token-revoked': 'Ce jeton a été révoqué ; associez de nouveau la caisse',
  'pairing-code-unknown': "Ce code d'association n'est pas connu, a servi ou a expiré ; créez-en un nouveau",
  'pairing-code-elsewhere': "Ce code d'association appartient à un autre magasin",
  'attempts-too-many': 'Il y a eu trop de tentatives ; réessayez dans {minutes} minutes',
  'pairing-code-missing': 'code est obligatoire et doit être un texte',
  'token-expired': 'jeton expiré',
  'customer-exists': 'Un client avec ce numéro de téléphone existe déjà',
  'customer-unknown': "Ce client n'existe pas",
  'reward-unknown': "Cette récompense n'existe pas",
  'code-unknown': "Ce code QR n'existe pas",
  'name-missing': 'name est obligatoire et doit être un texte',
  'name-too-long': 'name ne doit pas dépasser {max} caractères',
  'name-malformed': 'name ne doit pas contenir de caractères de contrôle',
  'phone-missing': 'phone est obligatoire et doit être un texte',
  'phone-malformed': 'phone doit être au format international, avec le signe plus au début',
  'email-malformed': 'email doit être une adresse électronique',
  'points-not-whole': 'points doit être un nombre entier à partir de 1',
  'points-too-many': 'points ne doit pas dépasser {max}',
  'page-malformed': '{parameter} doit être un nombre entier à partir de 1',
  'type-unknown': 'type doit être id, phone ou email',
  'search-too-long': 'name ne doit pas dépasser {max} caractères',
  'path-unknown': "Il n'y a rien à cette adresse",
  'method-not-allowed': "Cette adresse n'accepte que {allowed}",
  'body-too-large': 'Le corps ne doit pas dépasser {max} octets',
  'body-not-json': 'Le corps doit être du JSON',
  'body-not-object': 'Le corps doit être un objet JSON',
  'media-type-unsupported': 'Le corps doit être envoyé en application/json',
  'body-malformed': 'Un champ du corps manque ou est incorrect',
  'idempotency-key-malformed':
    'L’en-tête Idempotency-Key doit avoir de 8 à 100 caractères imprimables sans espaces',
  'idempotency-key-reused': 'Cette Idempotency-Key a servi à une autre requête',
  'redemption-unknown': 'Cet échange n’existe pas',
  'redemption-reversed': 'Cet échange a déjà été annulé',
  'reversal-too-late': 'Le temps pendant lequel une caisse peut l’annuler est passé',
  'reward-disabled': 'Cette récompense est désactivée',
  'price-changed': 'Le prix de la récompense a changé',
  'points-too-few': 'Le client n’a pas assez de points',
  'customer-code-unknown': 'Ce code client n’est pas de ce magasin',
  'customer-code-used': 'Ce code client a déjà servi ; le téléphone en affiche un nouveau',
  'customer-code-expired': 'Ce code client a expiré ; le téléphone en affiche un nouveau',
  'digits-unknown': 'Aucun téléphone n’affiche ces chiffres ; rouvrez la page sur le téléphone',
  'cursor-malformed':
    'since doit être un curseur de ce service ou un instant tel que 2026-11-25T08:00:00.000Z',
  'request-malformed': "La requête n'a pas pu être lue",
  unavailable: 'Le service est indisponible pour le moment ; veuillez réessayer dans une minute',
  'storage-full': 'Le disque du service est plein : rien n’a été enregistré',
  internal: 'Le service a échoué ; veuillez réessayer'
}

const es: ServiceMessages = {
  'credentials-missing': 'Falta la cabecera Authorization: Bearer <token>',
  'credentials-not-bearer': 'La cabecera Authorization debe tener la forma: Bearer <token>',
  'token-unknown': 'Este token no es conocido',
  'token-revoked': 'Este token fue revocado; empareje la caja de nuevo',
  'pairing-code-unknown':
    'Este código de emparejamiento no es conocido, se usó o ha caducado; cree uno nuevo',
  'pairing-code-elsewhere': 'Este código de emparejamiento es de otra tienda',
  'attempts-too-many': 'Hubo demasiados intentos; inténtelo de nuevo dentro de {minutes} minutos',
  'pairing-code-missing': 'code es obligatorio y debe ser un texto',
  'token-expired': 'token caducado',
  'customer-exists': 'Ya existe un cliente con este teléfono',
  'customer-unknown': 'Este cliente no existe',
  'reward-unknown': 'Esta recompensa no existe',
  'code-unknown': 'Este código QR no existe',
  'name-missing': 'name es obligatorio y debe ser un texto',
  'name-too-long': 'name debe tener como máximo {max} caracteres',
  'name-malformed': 'name no debe contener caracteres de control',
  'phone-missing': 'phone es obligatorio y debe ser un texto',
  'phone-malformed': 'phone debe estar en formato internacional, con el signo más al principio',
  'email-malformed': 'email debe ser una dirección de correo electrónico',
  'points-not-whole': 'points debe ser un número entero, 1 o más',
  'points-too-many': 'points no debe superar {max}',
  'page-malformed': '{parameter} debe ser un número entero, 1 o más',
  'type-unknown': 'type debe ser id, phone o email',
  'search-too-long': 'name debe tener como máximo {max} caracteres',
  'path-unknown': 'No hay nada en esta dirección',
  'method-not-allowed': 'Esta dirección solo acepta {allowed}',
  'body-too-large': 'El cuerpo debe tener como máximo {max} bytes',
  'body-not-json': 'El cuerpo debe ser JSON',
  'body-not-object': 'El cuerpo debe ser un objeto JSON',
  'media-type-unsupported': 'El cuerpo debe enviarse como application/json',
  'body-malformed': 'Falta un campo del cuerpo o no es correcto',
  'idempotency-key-malformed':
    'La cabecera Idempotency-Key debe tener de 8 a 100 caracteres imprimibles sin espacios',
  'idempotency-key-reused': 'Esta Idempotency-Key se usó para otra petición',
  'redemption-unknown': 'No existe ese canje',
  'redemption-reversed': 'Este canje ya se deshizo',
  'reversal-too-late': 'Ha pasado el tiempo en que una caja puede deshacerlo',
  'reward-disabled': 'Esta recompensa está desactivada',
  'price-changed': 'La recompensa tiene ahora otro precio',
  'points-too-few': 'El cliente no tiene puntos suficientes',
  'customer-code-unknown': 'Este código de cliente no es de esta tienda',
  'customer-code-used': 'Este código de cliente ya se usó; el teléfono muestra uno nuevo',
  'customer-code-expired': 'Este código de cliente ha caducado; el teléfono muestra uno nuevo',
  'digits-unknown': 'Ningún teléfono muestra ahora estas cifras; vuelva a abrir la página en él',
  'cursor-malformed': 'since debe ser un cursor de este servicio o un momento como 2026-11-25T08:00:00.000Z',
  'request-malformed': 'No se pudo leer la petición',
  unavailable: 'El servicio no está disponible ahora; inténtelo de nuevo dentro de un minuto',
  'storage-full': 'El disco del servicio está lleno: no se guardó nada',
  internal: 'El servicio ha fallado; inténtelo de nuevo'
}

const ar: ServiceMessages = {
  'credentials-missing': 'الترويسة Authorization: Bearer <token> غير موجودة',
  'credentials-not-bearer': 'يجب أن تكون الترويسة Authorization بالشكل: Bearer <token>',
  'token-unknown': 'مفتاح الوصول هذا غير معروف',
  'token-revoked': 'أُلغي مفتاح الوصول هذا؛ أقرن الصندوق من جديد',
  'pairing-code-unknown': 'رمز الإقران هذا غير معروف أو استُخدم أو انتهت صلاحيته؛ أنشئ رمزًا جديدًا',
  'pairing-code-elsewhere': 'رمز الإقران هذا لمتجر آخر',
  'attempts-too-many': 'كانت هناك محاولات كثيرة؛ حاول مجددًا بعد {minutes} دقائق',
  'pairing-code-missing': 'الحقل code مطلوب ويجب أن يكون نصًا',
  'token-expired': 'انتهت صلاحية مفتاح الوصول',
  'customer-exists': 'يوجد عميل بهذا الهاتف بالفعل',
  'customer-unknown': 'لا يوجد عميل كهذا',
  'reward-unknown': 'لا توجد مكافأة كهذه',
  'code-unknown': 'لا يوجد رمز QR كهذا',
  'name-missing': 'الحقل name مطلوب ويجب أن يكون نصًا',
  'name-too-long': 'يجب ألا يزيد طول name عن {max} حرفًا',
  'name-malformed': 'يجب ألا يحتوي name على محارف تحكم',
  'phone-missing': 'الحقل phone مطلوب ويجب أن يكون نصًا',
  'phone-malformed': 'يجب أن يكون phone بالصيغة الدولية مع علامة زائد في البداية',
  'email-malformed': 'يجب أن يكون email عنوان بريد إلكتروني',
  'points-not-whole': 'يجب أن يكون points عددًا صحيحًا لا يقل عن 1',
  'points-too-many': 'يجب ألا يزيد points عن {max}',
  'page-malformed': 'يجب أن يكون {parameter} عددًا صحيحًا لا يقل عن 1',
  'type-unknown': 'يجب أن يكون type إما id أو phone أو email',
  'search-too-long': 'يجب ألا يزيد طول name عن {max} حرفًا',
  'path-unknown': 'لا يوجد شيء في هذا العنوان',
  'method-not-allowed': 'هذا العنوان يقبل {allowed} فقط',
  'body-too-large': 'يجب ألا يزيد طول المحتوى عن {max} بايت',
  'body-not-json': 'يجب أن يكون المحتوى بصيغة JSON',
  'body-not-object': 'يجب أن يكون المحتوى كائن JSON',
  'media-type-unsupported': 'يجب إرسال المحتوى بصيغة application/json',
  'body-malformed': 'أحد حقول المحتوى مفقود أو غير صحيح',
  'idempotency-key-malformed':
    'يجب أن تحتوي الترويسة Idempotency-Key على 8 إلى 100 حرف قابل للطباعة دون مسافات',
  'idempotency-key-reused': 'استُخدم Idempotency-Key هذا لطلب آخر',
  'redemption-unknown': 'لا يوجد استبدال كهذا',
  'redemption-reversed': 'تم التراجع عن هذا الاستبدال من قبل',
  'reversal-too-late': 'انقضى الوقت الذي يمكن فيه للصندوق التراجع',
  'reward-disabled': 'هذه المكافأة معطلة',
  'price-changed': 'تغيّر سعر المكافأة',
  'points-too-few': 'ليس لدى العميل نقاط كافية',
  'customer-code-unknown': 'رمز العميل هذا ليس من هذا المتجر',
  'customer-code-used': 'استُخدم رمز العميل هذا من قبل؛ يعرض الهاتف رمزًا جديدًا',
  'customer-code-expired': 'انتهت صلاحية رمز العميل هذا؛ يعرض الهاتف رمزًا جديدًا',
  'digits-unknown': 'لا يعرض أي هاتف هذه الأرقام الآن؛ افتح الصفحة عليه من جديد',
  'cursor-malformed': 'يجب أن يكون since مؤشرًا من هذه الخدمة أو وقتًا مثل 2026-11-25T08:00:00.000Z',
  'request-malformed': 'تعذرت قراءة الطلب',
  unavailable: 'الخدمة غير متاحة الآن؛ يرجى المحاولة مرة أخرى بعد دقيقة',
  'storage-full': 'قرص الخدمة ممتلئ: لم يُحفظ أي شيء',
  internal: 'فشلت الخدمة؛ يرجى المحاولة مرة أخرى'
}

/** All messages, by language. */
export const SERVICE_MESSAGES = { en, el, de, fr, es, ar } satisfies Record<string, ServiceMessages>

/** ISO 639-1 code of a language that the service has messages in. */
export type ServiceLanguage = keyof typeof SERVICE_MESSAGES

const isServiceLanguage = (text: string): text is ServiceLanguage => Object.hasOwn(SERVICE_MESSAGES, text)

/** Whether `text` is a message key. Schemas use message keys as the messages of their issues. */
export const isMessageKey = (text: string): text is ServiceMessageKey => Object.hasOwn(en, text)

/**
 * Parses an `x-lang` header. The interface does not list its values: this service reads the language
 * of a BCP 47 tag (`el`, `el-GR` and `EL_gr` are Greek) and falls back to English.
 */
export const parseServiceLanguage = (header: string | undefined): ServiceLanguage => {
  const primary = /^[a-z]+/.exec((header ?? '').trim().toLowerCase())?.[0] ?? ''
  return isServiceLanguage(primary) ? primary : 'en'
}

/** Values of a message's placeholders. */
export type ServiceMessageValues = Readonly<Record<string, string | number>>

/** Returns a message with its `{placeholders}` replaced by `values`; placeholders without a value remain. */
export const formatServiceMessage = (
  language: ServiceLanguage,
  key: ServiceMessageKey,
  values: ServiceMessageValues = {}
): string =>
  SERVICE_MESSAGES[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole)
  )
