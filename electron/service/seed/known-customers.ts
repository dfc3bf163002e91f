/** Customers who open every training business, for walk-throughs, tests and the README. */

/**
 * The first customers of the list, in this order. Two are called the same and live in different phones; some have
 * no e-mail, one has no points yet. Points as whole numbers.
 */
export const KNOWN_CUSTOMERS = [
  {
    name: 'Μαρία Παπαδοπούλου',
    phone: '+306941234567',
    email: 'maria.papadopoulou@example.com',
    balance: 1240,
    lifetimePoints: 3870
  },
  { name: 'Γιώργος Οικονόμου', phone: '+306942345678', email: null, balance: 85, lifetimePoints: 85 },
  {
    name: 'Μαρία Παπαδοπούλου',
    phone: '+306947654321',
    email: 'm.papadopoulou@example.org',
    balance: 30,
    lifetimePoints: 530
  },
  {
    name: 'Zoé Lefèvre',
    phone: '+33639980117',
    email: 'zoe.lefevre@example.com',
    balance: 410,
    lifetimePoints: 410
  },
  { name: 'Jürgen Weiß', phone: '+4917604069042', email: null, balance: 0, lifetimePoints: 0 },
  {
    name: 'Oliver Taylor',
    phone: '+442079460321',
    email: 'oliver.taylor+till@example.com',
    balance: 5200,
    lifetimePoints: 18_450
  },
  { name: 'فاطمة حسن', phone: '+201001299001', email: null, balance: 760, lifetimePoints: 1310 },
  {
    name: '佐藤 陽子',
    phone: '+819012990001',
    email: 'yoko.sato@example.net',
    balance: 95,
    lifetimePoints: 2095
  },
  { name: 'Nguyễn Minh Anh', phone: '+84912990001', email: null, balance: 2480, lifetimePoints: 2480 },
  {
    name: 'สมหญิง ใจดี',
    phone: '+66811990001',
    email: 'somying.jaidee@example.com',
    balance: 150,
    lifetimePoints: 900
  },
  {
    name: 'Grace Wood',
    phone: '+12125550142',
    email: 'grace.wood@example.com',
    balance: 615,
    lifetimePoints: 615
  }
] as const
