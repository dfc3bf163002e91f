/**
 * Files in the form of other tills' exports, by their public documentation, and files that people have spoiled. Each with the
 * customers that it brings to a shop in Greece, and the lines that are refused.
 */

/** Phone, points, and the name. */
type Expected = readonly [phone: string, points: number, name: string]

export interface TillFile {
  readonly what: string
  readonly text: string
  readonly customers: readonly Expected[]
  /** lines with their faults */
  readonly refused?: readonly (readonly [line: number, fault: string])[]
  readonly unusedPoints?: readonly string[]
  readonly country?: string
}

const ANNA = ['+306940000001', 120, 'Anna Pappa'] as const
const ZOE = ['+306940000002', 35, 'Zoé Λέκκα'] as const

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`

export const TILL_EXPORTS: readonly TillFile[] = [
  {
    what: 'Square, whose customer directory has no points',
    text: lines(
      'Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1,City,Birthday,Memo,Square Customer ID,Creation Source,Transaction Count,Lifetime Spend',
      `,Anna,Pappa,anna@example.com,'+306940000001,,,Ermou 1,Athens,,,ABC1,Merchant,3,€12.50`,
      `,Zoé,Λέκκα,,'+306940000002,,,,,,"two\nlines",ABC2,Loyalty,1,€1.00`
    ),
    customers: [
      [ANNA[0], 0, ANNA[2]],
      [ZOE[0], 0, ZOE[2]]
    ]
  },
  {
    what: 'Loyverse',
    text: lines(
      'Customer ID,Customer name,Email,Phone,Address,City,Region,Postal code,Country,Customer code,Points balance,Note,First visit,Last visit,Total visits,Total spent',
      '1,Anna Pappa,anna@example.com,+306940000001,,,,,,,120.00,,,,4,100.00',
      '2,Zoé Λέκκα,-,694 000 0002,,,,,,,35.00,,,,1,5.00'
    ),
    customers: [ANNA, ZOE]
  },
  {
    what: 'Shopify',
    text: lines(
      'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags,Loyalty points',
      `'7001,Anna,Pappa,anna@example.com,yes,,,,6940000009,'+306940000001,no,10.00,1,,no,,120`,
      `'7002,Zoé,Λέκκα,,no,,,,6940000002,,no,0.00,0,,no,,35`
    ),
    customers: [ANNA, ZOE]
  },
  {
    what: 'Lightspeed X-Series, whose balance is money that is owed',
    text: lines(
      'id,customer_code,first_name,last_name,company_name,email,phone,mobile,balance,loyalty_balance,year_to_date',
      'b1c5,ANNA-1,Anna,Pappa,,anna@example.com,2101234567,6940000001,-4.50,120.00,99.00',
      'b1c6,ZOE-2,Zoé,Λέκκα,,,6940000002,,0.00,35.00,1.00'
    ),
    customers: [ANNA, ZOE],
    unusedPoints: ['balance']
  },
  {
    what: 'Lightspeed R-Series',
    text: lines(
      'Last,First,Company,Home,Work,Mobile,Email 1,Points',
      'Pappa,Anna,,,,(694) 000-0001,,120',
      'Λέκκα,Zoé,,694 000 0002,,,,35'
    ),
    customers: [ANNA, ZOE]
  },
  {
    what: 'Odoo, the contacts with their loyalty cards',
    text: lines(
      '"Code","Partner/Name","Partner/Phone","Partner/Mobile","Partner/Email","Program","Balance"',
      '"044a","Anna Pappa","","+30 694 000 0001","","Loyalty","120.00"',
      '"044b","Zoé Λέκκα","+30 694 000 0002","","","Loyalty","35.00"'
    ),
    customers: [ANNA, ZOE]
  },
  {
    what: 'a spreadsheet in Greek',
    text: lines('Όνομα;Κινητό;Πόντοι', 'Anna Pappa;6940000001;120', 'Zoé Λέκκα;694 000 00 02;35'),
    customers: [ANNA, ZOE]
  },
  {
    what: 'a spreadsheet in Arabic, with digits of its own',
    text: lines('الاسم,رقم الجوال,النقاط', 'Anna Pappa,٦٩٤٠٠٠٠٠٠١,١٢٠', 'Zoé Λέκκα,6940000002,٣٥'),
    customers: [ANNA, ZOE]
  }
]

const HEAD = 'Name,Phone,Points'
const [ROW_1, ROW_2] = ['Anna Pappa,6940000001,120', 'Zoé Λέκκα,6940000002,35']

export const SPOILED_FILES: readonly TillFile[] = [
  {
    what: 'two lines of title, and a blank one',
    text: lines('Customers of the Corner Café,,', 'Export of 2026-11-20', '', HEAD, ROW_1, ROW_2),
    customers: [ANNA, ZOE]
  },
  { what: 'tabs', text: lines(HEAD, ROW_1, ROW_2).replaceAll(',', '\t'), customers: [ANNA, ZOE] },
  { what: 'semicolons', text: lines(HEAD, ROW_1, ROW_2).replaceAll(',', ';'), customers: [ANNA, ZOE] },
  { what: 'vertical bars', text: lines(HEAD, ROW_1, ROW_2).replaceAll(',', '|'), customers: [ANNA, ZOE] },
  {
    what: 'the line by which Excel is told the separator, for which it shows no row',
    text: lines('sep=;', 'Name;Phone;Points', 'Anna Pappa;6940000001;120', 'Zoé;12;3'),
    customers: [ANNA],
    refused: [[3, 'phone-malformed']]
  },
  {
    what: 'decimal commas',
    text: lines('Name;Phone;Points', 'Anna Pappa;6940000001;120,00', 'Zoé Λέκκα;6940000002;35,00'),
    customers: [ANNA, ZOE]
  },
  {
    what: 'grouped thousands and decimals',
    text: lines(
      'Name;Phone;Points',
      'Anna Pappa;6940000001;1.120,00',
      'Zoé Λέκκα;6940000002;2.000',
      'Eva;6940000003;12,5'
    ),
    customers: [
      [ANNA[0], 1120, ANNA[2]],
      [ZOE[0], 2000, ZOE[2]]
    ],
    refused: [[4, 'balance-malformed']]
  },
  {
    what: 'thousands that may be decimals',
    text: lines('Name,Phone,Points', 'Anna Pappa,6940000001,"1,000"', 'Zoé Λέκκα,6940000002,"35,000"'),
    customers: [],
    refused: [
      [2, 'number-ambiguous'],
      [3, 'number-ambiguous']
    ]
  },
  {
    what: 'thousands beside numbers without a comma',
    text: lines('Name,Phone,Points', 'Anna Pappa,6940000001,"1,120"', ROW_2, 'Eva,6940000003,1 500'),
    customers: [[ANNA[0], 1120, ANNA[2]], ZOE, ['+306940000003', 1500, 'Eva']]
  },
  {
    what: 'points in two columns, one empty',
    text: lines('Name,Phone,balance,Balance', 'Anna Pappa,6940000001,,120', 'Zoé Λέκκα,6940000002,,35'),
    customers: [ANNA, ZOE]
  },
  {
    what: 'points in two columns, both filled',
    text: lines(
      'Name,Phone,Points,Bonus points 2025',
      'Anna Pappa,6940000001,120,5',
      'Zoé Λέκκα,6940000002,35,0'
    ),
    customers: [ANNA, ZOE],
    unusedPoints: ['Bonus points 2025']
  },
  {
    what: 'line breaks in cells',
    text: lines(
      'Name,Address,Phone,Points',
      '"Anna\nPappa","Ermou 1\nAthens",6940000001,120',
      'Zoé Λέκκα,,6940000002,35',
      'Eva,,1,1'
    ),
    customers: [ANNA, ZOE],
    refused: [[4, 'phone-malformed']]
  },
  {
    what: 'a line break in a cell without quotation marks',
    text: lines(
      'Name,Phone,Note,Points',
      'Anna Pappa,6940000001,likes',
      'tea,120',
      'Zoé Λέκκα,6940000002,,35'
    ),
    customers: [ZOE],
    refused: [
      [2, 'line-cut'],
      [3, 'phone-malformed']
    ]
  },
  {
    what: 'a last line that is cut off',
    text: `${lines(HEAD, ROW_1)}Zoé Λέκκα,6940000002`,
    customers: [ANNA],
    refused: [[3, 'line-cut']]
  },
  {
    what: 'a last line that is cut off in quotation marks',
    text: `${lines(HEAD, ROW_1)}"Zoé Λέκκα,69400000`,
    customers: [ANNA],
    refused: [[3, 'line-unreadable']]
  },
  {
    what: 'rows without their last cells, as Excel writes them',
    text: lines(
      'Name,Phone,Points,Email',
      ROW_1,
      'Eva,6940000003',
      'Zoé Λέκκα,6940000002,35,zoe@example.com'
    ),
    customers: [ANNA, ['+306940000003', 0, 'Eva'], ZOE]
  },
  {
    what: 'cells for nothing',
    text: lines('Name,Phone,Email,Points', 'Anna Pappa,6940000001,-,120', 'N/A,6940000002,n/a,—', 'Eva,-,,4'),
    customers: [ANNA, ['+306940000002', 0, '']],
    refused: [[4, 'phone-malformed']]
  },
  {
    what: 'no names of columns',
    text: lines(ROW_1, ROW_2),
    customers: [
      [ANNA[0], 0, ''],
      [ZOE[0], 0, '']
    ]
  },
  {
    what: 'a comma too many',
    text: lines(HEAD, 'Pappa, Anna,6940000001,120', ROW_2),
    customers: [ZOE],
    refused: [[2, 'line-unreadable']]
  },
  {
    what: 'an open quotation mark',
    text: lines(HEAD, '"Anna,6940000001,120', ROW_2),
    customers: [ZOE],
    refused: [[2, 'line-unreadable']]
  },
  {
    what: 'a customer twice, in two spellings',
    text: lines(HEAD, ROW_1, 'Anna P.,+30 694-000-0001,7', ROW_2),
    customers: [ANNA, ZOE],
    refused: [[3, 'line-repeated']]
  },
  {
    what: 'phones with several numbers, decimals of a spreadsheet, an apostrophe, and points that end in zeros',
    text: lines(
      HEAD,
      'Anna Pappa,6940000001 / 6940000009,120',
      "Zoé Λέκκα,'6940000002,35",
      'Eva,6940000003.0,1',
      'Max,+32.484.22.51.00,2'
    ),
    customers: [ANNA, ZOE, ['+306940000003', 1, 'Eva'], ['+32484225100', 2, 'Max']]
  },
  {
    what: 'line ends of three systems',
    text: `${HEAD}\r${ROW_1}\n${ROW_2}\r\n`,
    customers: [ANNA, ZOE]
  },
  {
    what: 'names in capitals, and spaces around cells',
    text: lines(' NAME , PHONE NUMBER , POINTS ', ' Anna Pappa , 6940000001 , 120 ', ROW_2),
    customers: [ANNA, ZOE]
  },
  {
    what: 'phones without a country, in a shop without one',
    text: lines(HEAD, ROW_1, 'Zoé Λέκκα,+306940000002,35'),
    country: '',
    customers: [ZOE],
    refused: [[2, 'phone-malformed']]
  }
]
