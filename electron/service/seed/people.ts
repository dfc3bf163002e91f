/** Data from which customers are generated: names by script and language, and phone ranges by country. */

/** Numbers that consist of `prefix` and `digits` more digits, from `first` to `last`. */
interface PhoneRange {
  readonly prefix: string
  readonly digits: number
  readonly first: number
  readonly last: number
}

const range = (prefix: string, digits: number, first = 0, last = 10 ** digits - 1): PhoneRange => ({
  prefix,
  digits,
  first,
  last
})

/**
 * E.164 ranges by ISO 3166-1 alpha-2 code, for mobile phones where possible. Ranges that a country reserves for fiction
 * are used where they exist; other numbers may be in use and must not be dialled.
 */
const PHONE_RANGES = {
  GR: range('+3069412', 5),
  CY: range('+357991', 5),
  BG: range('+359878', 6),
  EG: range('+2010012', 5),
  AE: range('+971501', 6),
  IL: range('+972502', 6),
  TH: range('+66811', 6),
  IN: range('+9198765', 5),
  JP: range('+819012', 6),
  CN: range('+8613812', 6),
  KR: range('+821012', 6),
  VN: range('+84912', 6),
  // ARCEP decision 2012-0856: 06 39 98 xx xx
  FR: range('+3363998', 4),
  // Bundesnetzagentur, numbers for the media: 0176 040690xx
  DE: range('+49176040690', 2),
  ES: range('+346121', 5),
  PL: range('+485121', 5),
  CZ: range('+420601', 6),
  TR: range('+905012', 6),
  // Ofcom, numbers for drama in London: 020 7946 0000 to 0999 (its mobile ones are not valid in form)
  GB: range('+442079460', 3),
  // Post- och telestyrelsen, numbers for fiction: 070-174 06 05 to 99
  SE: range('+467017406', 2, 5, 99),
  // North American Numbering Plan: 555-0100 to 555-0199
  US: range('+1212555', 4, 100, 199),
  // ACMA, numbers for creative works: 0491 570 xxx holds several
  AU: range('+6149157', 4, 110, 159),
  BR: range('+5511961', 6)
} as const satisfies Record<string, PhoneRange>

type PhoneCountry = keyof typeof PHONE_RANGES

/** Ten million Greek mobile numbers, for when a country's range is used up. */
const OVERFLOW_RANGE = range('+30695', 7)

/** Gap between consecutive numbers. It has no common factor with 10, so it reaches each number of a range once. */
const STEP = 7919

/** Creates a function that returns a different phone on each call. It throws when none is left. */
export const createPhoneGenerator = () => {
  const usedByPrefix = new Map<string, number>()
  const next = ({ prefix, digits, first, last }: PhoneRange): string | null => {
    const size = last - first + 1
    const used = usedByPrefix.get(prefix) ?? 0
    if (used >= size) return null
    usedByPrefix.set(prefix, used + 1)
    // A size that is not a power of ten may have a common factor with the step: those ranges are used in order.
    const offset = size % 10 === 0 && Number.isInteger(Math.log10(size)) ? (used * STEP) % size : used
    return prefix + String(first + offset).padStart(digits, '0')
  }
  return (country: PhoneCountry): string => {
    const phone = next(PHONE_RANGES[country]) ?? next(OVERFLOW_RANGE)
    if (phone === null) throw new RangeError('all phone numbers are used')
    return phone
  }
}

/** A name as it is written, and in ASCII for an e-mail address. */
export interface SeededName {
  readonly written: string
  readonly latin: string
}

/** Given and family names that can be combined. */
export interface NameGroup {
  /** percentage of customers */
  readonly share: number
  readonly phones: readonly PhoneCountry[]
  readonly given: readonly SeededName[]
  readonly family: readonly SeededName[]
  readonly order: 'given-first' | 'family-first'
  /** between the two names */
  readonly separator: string
}

/** Parses `Μαρία/maria Ελένη/eleni`. An underscore is a space inside a name. */
const parseNames = (list: string): readonly SeededName[] =>
  list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [written = '', latin = written.toLowerCase()] = entry.split('/')
      return { written: written.replaceAll('_', ' '), latin }
    })

const names = (
  share: number,
  phones: readonly PhoneCountry[],
  given: string,
  family: string,
  order: NameGroup['order'] = 'given-first',
  separator = ' '
): NameGroup => ({ share, phones, given: parseNames(given), family: parseNames(family), order, separator })

/** The customers of a shop in Athens with many tourists. Shares add up to 100. */
export const NAME_GROUPS: readonly NameGroup[] = [
  // Greek, women and men: their family names differ
  names(
    19,
    ['GR', 'GR', 'GR', 'GR', 'CY'],
    `Μαρία/maria Ελένη/eleni Κατερίνα/katerina Βασιλική/vasiliki Σοφία/sofia Αγγελική/angeliki Γεωργία/georgia
     Δήμητρα/dimitra Κωνσταντίνα/konstantina Ιωάννα/ioanna Αναστασία/anastasia Χρυσούλα/chrysoula Ευαγγελία/evangelia
     Παναγιώτα/panagiota`,
    `Παπαδοπούλου/papadopoulou Παπαδάκη/papadaki Οικονόμου/oikonomou Γεωργίου/georgiou Νικολάου/nikolaou
     Δημητρίου/dimitriou Καραγιάννη/karagianni Βλάχου/vlachou Αντωνίου/antoniou Μακρή/makri Αλεξίου/alexiou
     Χριστοδούλου/christodoulou Λαμπροπούλου/lampropoulou Ζαφειρίου/zafeiriou`
  ),
  names(
    19,
    ['GR', 'GR', 'GR', 'GR', 'CY'],
    `Γιώργος/giorgos Δημήτρης/dimitris Κώστας/kostas Γιάννης/giannis Νίκος/nikos Χρήστος/christos Παναγιώτης/panagiotis
     Βασίλης/vasilis Αθανάσιος/athanasios Μιχάλης/michalis Ευάγγελος/evangelos Σπύρος/spyros Ηλίας/ilias Άγγελος/angelos`,
    `Παπαδόπουλος/papadopoulos Παπαδάκης/papadakis Οικονόμου/oikonomou Γεωργίου/georgiou Νικολάου/nikolaou
     Δημητρίου/dimitriou Καραγιάννης/karagiannis Βλάχος/vlachos Αντωνίου/antoniou Μακρής/makris Αλεξίου/alexiou
     Χριστοδούλου/christodoulou Λαμπρόπουλος/lampropoulos Ζαφειρίου/zafeiriou`
  ),
  // Cyrillic: Bulgarian, women and men
  names(
    3,
    ['BG'],
    'Мария/maria Иванка/ivanka Елена/elena Йорданка/yordanka Цветелина/tsvetelina Галина/galina Радка/radka',
    'Иванова/ivanova Георгиева/georgieva Димитрова/dimitrova Петрова/petrova Николова/nikolova Щерева/shtereva'
  ),
  names(
    3,
    ['BG'],
    'Георги/georgi Иван/ivan Димитър/dimitar Николай/nikolay Петър/petar Любомир/lyubomir Йордан/yordan',
    'Иванов/ivanov Георгиев/georgiev Димитров/dimitrov Петров/petrov Николов/nikolov Жечев/zhechev'
  ),
  names(
    5,
    ['EG', 'AE'],
    'محمد/mohamed أحمد/ahmed فاطمة/fatima مريم/mariam يوسف/youssef ليلى/layla عمر/omar نور/nour خالد/khaled سارة/sara',
    'حسن/hassan علي/ali إبراهيم/ibrahim السيد/elsayed منصور/mansour عبد_الله/abdullah الشامي/elshamy سليمان/soliman'
  ),
  names(
    4,
    ['IL'],
    'נועה/noa תמר/tamar דוד/david יוסף/yosef מאיה/maya איתן/eitan שירה/shira אורי/uri יעל/yael',
    'כהן/cohen לוי/levi מזרחי/mizrahi פרץ/peretz ביטון/biton אברהם/avraham פרידמן/friedman'
  ),
  names(
    4,
    ['TH'],
    'สมชาย/somchai สมหญิง/somying มาลี/malee ณัฐพล/nattapon กัญญา/kanya ปิยะ/piya วิชัย/wichai ศิริพร/siriporn',
    'ใจดี/jaidee แสงทอง/saengthong ทองดี/thongdee ศรีสุข/srisuk วงศ์ไทย/wongthai บุญมี/boonmee'
  ),
  names(
    4,
    ['IN'],
    'आरव/aarav प्रिया/priya राहुल/rahul अनन्या/ananya विक्रम/vikram दीपिका/deepika संजय/sanjay कृष्णा/krishna',
    'शर्मा/sharma वर्मा/verma गुप्ता/gupta सिंह/singh पटेल/patel मिश्रा/mishra चतुर्वेदी/chaturvedi'
  ),
  names(
    4,
    ['JP'],
    '陽子/yoko 健太/kenta 美咲/misaki 翔太/shota 直樹/naoki 由美/yumi さくら/sakura ユウジ/yuji',
    '佐藤/sato 鈴木/suzuki 高橋/takahashi 田中/tanaka 渡辺/watanabe 伊藤/ito 山本/yamamoto',
    'family-first'
  ),
  names(
    5,
    ['CN'],
    '伟/wei 芳/fang 娜/na 秀英/xiuying 敏/min 静/jing 丽/li 强/qiang 磊/lei 子轩/zixuan 雨桐/yutong',
    '王/wang 李/li 张/zhang 刘/liu 陈/chen 杨/yang 赵/zhao 黄/huang 欧阳/ouyang',
    'family-first',
    ''
  ),
  names(
    3,
    ['KR'],
    '민준/minjun 서연/seoyeon 지우/jiwoo 하은/haeun 도윤/doyun 수진/sujin 영호/youngho',
    '김/kim 이/lee 박/park 최/choi 정/jung 강/kang 조/cho',
    'family-first',
    ''
  ),
  names(
    4,
    ['VN'],
    'Thị_Hoa/hoa Văn_Hùng/hung Minh_Anh/minhanh Thu_Hà/thuha Đức_Thắng/ducthang Ngọc_Ánh/ngocanh Quốc_Bảo/quocbao',
    'Nguyễn/nguyen Trần/tran Lê/le Phạm/pham Huỳnh/huynh Đặng/dang Vũ/vu',
    'family-first'
  ),
  // Latin with accents
  names(
    5,
    ['FR'],
    'Zoé/zoe Élodie/elodie François/francois Léa/lea Hélène/helene Jérôme/jerome Anaïs/anais Benoît/benoit',
    'Lefèvre/lefevre Bélanger/belanger Müller/muller Dupré/dupre Noël/noel Garçon/garcon Côté/cote'
  ),
  names(
    4,
    ['DE'],
    'Jürgen/juergen Käthe/kaethe Björn/bjoern Sören/soeren Anneliese/anneliese Günther/guenther',
    'Müller/mueller Schäfer/schaefer Weiß/weiss Größe/groesse Köhler/koehler Bräuer/braeuer'
  ),
  names(
    3,
    ['ES', 'BR'],
    'José/jose Íñigo/inigo Begoña/begona María/maria João/joao Conceição/conceicao Ángel/angel',
    'García/garcia Núñez/nunez Muñoz/munoz Gonçalves/goncalves Araújo/araujo Peña/pena'
  ),
  names(
    3,
    ['PL', 'CZ'],
    'Łukasz/lukasz Małgorzata/malgorzata Zdeněk/zdenek Jiří/jiri Grażyna/grazyna Božena/bozena',
    'Wiśniewski/wisniewski Dvořák/dvorak Wójcik/wojcik Černý/cerny Żak/zak Říha/riha'
  ),
  names(
    3,
    ['TR'],
    'Ayşe/ayse İbrahim/ibrahim Çağla/cagla Işıl/isil Oğuz/oguz Gülşen/gulsen',
    'Yılmaz/yilmaz Şahin/sahin Öztürk/ozturk Çelik/celik Doğan/dogan Kılıç/kilic'
  ),
  names(
    5,
    ['GB', 'US', 'AU', 'SE'],
    "Siobhán/siobhan Oliver/oliver Amelia/amelia Åsa/asa Jack/jack Søren/soren Grace/grace D'Arcy/darcy",
    "Smith/smith O'Brien/obrien Taylor/taylor Åkesson/akesson Smythe-Jones/smythejones Lindström/lindstrom Wood/wood"
  )
]
