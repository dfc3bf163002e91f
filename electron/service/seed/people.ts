/** Names that a shop's customers may bear, by script and language, with the phones and the frequency they come with. */
import type { PhoneCountry } from './phones.ts'

/** A name as it is written, and in plain Latin letters for an e-mail address. */
export interface Name {
  readonly written: string
  readonly latin: string
}

/** People whose names go together. */
export interface People {
  /** how many of a hundred customers are of these */
  readonly share: number
  readonly phones: readonly PhoneCountry[]
  readonly given: readonly Name[]
  readonly family: readonly Name[]
  readonly order: 'given-first' | 'family-first'
  /** between the two names */
  readonly joiner: string
}

/** Reads `Μαρία/maria Ελένη/eleni`; an underscore stands for a space inside a name. */
const names = (list: string): readonly Name[] =>
  list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [written = '', latin = written.toLowerCase()] = entry.split('/')
      return { written: written.replaceAll('_', ' '), latin }
    })

const people = (
  share: number,
  phones: readonly PhoneCountry[],
  given: string,
  family: string,
  order: People['order'] = 'given-first',
  joiner = ' '
): People => ({ share, phones, given: names(given), family: names(family), order, joiner })

/** The customers of a shop in Athens that tourists like. Shares add up to 100. */
export const allPeople: readonly People[] = [
  // Greek, women and men: their family names differ
  people(
    19,
    ['GR', 'GR', 'GR', 'GR', 'CY'],
    `Μαρία/maria Ελένη/eleni Κατερίνα/katerina Βασιλική/vasiliki Σοφία/sofia Αγγελική/angeliki Γεωργία/georgia
     Δήμητρα/dimitra Κωνσταντίνα/konstantina Ιωάννα/ioanna Αναστασία/anastasia Χρυσούλα/chrysoula Ευαγγελία/evangelia
     Παναγιώτα/panagiota`,
    `Παπαδοπούλου/papadopoulou Παπαδάκη/papadaki Οικονόμου/oikonomou Γεωργίου/georgiou Νικολάου/nikolaou
     Δημητρίου/dimitriou Καραγιάννη/karagianni Βλάχου/vlachou Αντωνίου/antoniou Μακρή/makri Αλεξίου/alexiou
     Χριστοδούλου/christodoulou Λαμπροπούλου/lampropoulou Ζαφειρίου/zafeiriou`
  ),
  people(
    19,
    ['GR', 'GR', 'GR', 'GR', 'CY'],
    `Γιώργος/giorgos Δημήτρης/dimitris Κώστας/kostas Γιάννης/giannis Νίκος/nikos Χρήστος/christos Παναγιώτης/panagiotis
     Βασίλης/vasilis Αθανάσιος/athanasios Μιχάλης/michalis Ευάγγελος/evangelos Σπύρος/spyros Ηλίας/ilias Άγγελος/angelos`,
    `Παπαδόπουλος/papadopoulos Παπαδάκης/papadakis Οικονόμου/oikonomou Γεωργίου/georgiou Νικολάου/nikolaou
     Δημητρίου/dimitriou Καραγιάννης/karagiannis Βλάχος/vlachos Αντωνίου/antoniou Μακρής/makris Αλεξίου/alexiou
     Χριστοδούλου/christodoulou Λαμπρόπουλος/lampropoulos Ζαφειρίου/zafeiriou`
  ),
  // Cyrillic: Bulgarian, women and men
  people(
    3,
    ['BG'],
    'Мария/maria Иванка/ivanka Елена/elena Йорданка/yordanka Цветелина/tsvetelina Галина/galina Радка/radka',
    'Иванова/ivanova Георгиева/georgieva Димитрова/dimitrova Петрова/petrova Николова/nikolova Щерева/shtereva'
  ),
  people(
    3,
    ['BG'],
    'Георги/georgi Иван/ivan Димитър/dimitar Николай/nikolay Петър/petar Любомир/lyubomir Йордан/yordan',
    'Иванов/ivanov Георгиев/georgiev Димитров/dimitrov Петров/petrov Николов/nikolov Жечев/zhechev'
  ),
  people(
    5,
    ['EG', 'AE'],
    'محمد/mohamed أحمد/ahmed فاطمة/fatima مريم/mariam يوسف/youssef ليلى/layla عمر/omar نور/nour خالد/khaled سارة/sara',
    'حسن/hassan علي/ali إبراهيم/ibrahim السيد/elsayed منصور/mansour عبد_الله/abdullah الشامي/elshamy سليمان/soliman'
  ),
  people(
    4,
    ['IL'],
    'נועה/noa תמר/tamar דוד/david יוסף/yosef מאיה/maya איתן/eitan שירה/shira אורי/uri יעל/yael',
    'כהן/cohen לוי/levi מזרחי/mizrahi פרץ/peretz ביטון/biton אברהם/avraham פרידמן/friedman'
  ),
  people(
    4,
    ['TH'],
    'สมชาย/somchai สมหญิง/somying มาลี/malee ณัฐพล/nattapon กัญญา/kanya ปิยะ/piya วิชัย/wichai ศิริพร/siriporn',
    'ใจดี/jaidee แสงทอง/saengthong ทองดี/thongdee ศรีสุข/srisuk วงศ์ไทย/wongthai บุญมี/boonmee'
  ),
  people(
    4,
    ['IN'],
    'आरव/aarav प्रिया/priya राहुल/rahul अनन्या/ananya विक्रम/vikram दीपिका/deepika संजय/sanjay कृष्णा/krishna',
    'शर्मा/sharma वर्मा/verma गुप्ता/gupta सिंह/singh पटेल/patel मिश्रा/mishra चतुर्वेदी/chaturvedi'
  ),
  people(
    4,
    ['JP'],
    '陽子/yoko 健太/kenta 美咲/misaki 翔太/shota 直樹/naoki 由美/yumi さくら/sakura ユウジ/yuji',
    '佐藤/sato 鈴木/suzuki 高橋/takahashi 田中/tanaka 渡辺/watanabe 伊藤/ito 山本/yamamoto',
    'family-first'
  ),
  people(
    5,
    ['CN'],
    '伟/wei 芳/fang 娜/na 秀英/xiuying 敏/min 静/jing 丽/li 强/qiang 磊/lei 子轩/zixuan 雨桐/yutong',
    '王/wang 李/li 张/zhang 刘/liu 陈/chen 杨/yang 赵/zhao 黄/huang 欧阳/ouyang',
    'family-first',
    ''
  ),
  people(
    3,
    ['KR'],
    '민준/minjun 서연/seoyeon 지우/jiwoo 하은/haeun 도윤/doyun 수진/sujin 영호/youngho',
    '김/kim 이/lee 박/park 최/choi 정/jung 강/kang 조/cho',
    'family-first',
    ''
  ),
  people(
    4,
    ['VN'],
    'Thị_Hoa/hoa Văn_Hùng/hung Minh_Anh/minhanh Thu_Hà/thuha Đức_Thắng/ducthang Ngọc_Ánh/ngocanh Quốc_Bảo/quocbao',
    'Nguyễn/nguyen Trần/tran Lê/le Phạm/pham Huỳnh/huynh Đặng/dang Vũ/vu',
    'family-first'
  ),
  // Latin with accents
  people(
    5,
    ['FR'],
    'Zoé/zoe Élodie/elodie François/francois Léa/lea Hélène/helene Jérôme/jerome Anaïs/anais Benoît/benoit',
    'Lefèvre/lefevre Bélanger/belanger Müller/muller Dupré/dupre Noël/noel Garçon/garcon Côté/cote'
  ),
  people(
    4,
    ['DE'],
    'Jürgen/juergen Käthe/kaethe Björn/bjoern Sören/soeren Anneliese/anneliese Günther/guenther',
    'Müller/mueller Schäfer/schaefer Weiß/weiss Größe/groesse Köhler/koehler Bräuer/braeuer'
  ),
  people(
    3,
    ['ES', 'BR'],
    'José/jose Íñigo/inigo Begoña/begona María/maria João/joao Conceição/conceicao Ángel/angel',
    'García/garcia Núñez/nunez Muñoz/munoz Gonçalves/goncalves Araújo/araujo Peña/pena'
  ),
  people(
    3,
    ['PL', 'CZ'],
    'Łukasz/lukasz Małgorzata/malgorzata Zdeněk/zdenek Jiří/jiri Grażyna/grazyna Božena/bozena',
    'Wiśniewski/wisniewski Dvořák/dvorak Wójcik/wojcik Černý/cerny Żak/zak Říha/riha'
  ),
  people(
    3,
    ['TR'],
    'Ayşe/ayse İbrahim/ibrahim Çağla/cagla Işıl/isil Oğuz/oguz Gülşen/gulsen',
    'Yılmaz/yilmaz Şahin/sahin Öztürk/ozturk Çelik/celik Doğan/dogan Kılıç/kilic'
  ),
  people(
    5,
    ['GB', 'US', 'AU', 'SE'],
    "Siobhán/siobhan Oliver/oliver Amelia/amelia Åsa/asa Jack/jack Søren/soren Grace/grace D'Arcy/darcy",
    "Smith/smith O'Brien/obrien Taylor/taylor Åkesson/akesson Smythe-Jones/smythejones Lindström/lindstrom Wood/wood"
  )
]
