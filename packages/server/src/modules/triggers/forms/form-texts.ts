import { shortTypeOf } from './file-field.ts'

export type FormLocale = 'en' | 'ar'

/** The texts of the frame of a form; the others are those of its owner. */
export interface FormTexts {
  readonly send: string
  readonly choose: string
  readonly optional: string
  readonly zone: (zone: string) => string
  readonly wrong: string
  readonly sent: readonly [title: string, text: string]
  readonly another: string
  readonly closed: readonly [title: string, text: string]
  readonly broken: readonly [title: string, text: string]
  readonly notListening: readonly [title: string, text: string]
  readonly refused: readonly [title: string, text: string]
  readonly tooMany: readonly [title: string, text: string]
  readonly tooSlow: readonly [title: string, text: string]
  readonly tooLarge: readonly [title: string, text: string]
  readonly later: string
  readonly notTaken: string
  readonly personal: string
  readonly test: string
  readonly needed: string
  readonly tick: string
  readonly chooseOne: string
  readonly number: string
  readonly integer: string
  readonly least: (value: number) => string
  readonly most: (value: number) => string
  readonly longer: (length: number) => string
  readonly shorter: (length: number) => string
  readonly fewer: (count: number) => string
  readonly more: (count: number) => string
  readonly email: string
  readonly url: string
  readonly time: string
  readonly year: (first: number, last: number) => string
  readonly pattern: string
  readonly trap: string
  readonly tooLargeFiles: readonly [title: string, text: string]
  readonly chooseFile: string
  readonly chooseAgain: string
  readonly fileMost: (size: string) => string
  readonly fileTypes: (types: string) => string
  readonly fileTooLarge: (size: string) => string
  readonly wrongType: (types: string) => string
  readonly kindsOfFiles: Readonly<Record<string, string>>
}

const en: FormTexts = {
  send: 'Send',
  choose: 'Choose',
  optional: 'optional',
  zone: (zone) => `Time zone: ${zone}`,
  wrong: 'Nothing was sent yet. Correct these fields:',
  sent: ['Thank you', 'The form was sent.'],
  another: 'Fill in the form again',
  closed: ['This form is closed', 'It takes no entries at the moment.'],
  broken: ['This form cannot be shown', 'It does not fit the workflow behind it any more. Ask the person who gave you this address.'],
  notListening: ['No test is running', 'This address takes entries only during a test. Start the test and reload this page.'],
  refused: ['Not available', 'This form cannot be used from here.'],
  tooMany: ['Too many requests', 'Wait a minute and try again.'],
  tooSlow: ['The form arrived too slowly', 'Try again over a faster connection, or with smaller files.'],
  tooLarge: ['Too much was filled in', 'Nothing was sent. Go back, shorten what you filled in, and send the form again.'],
  later: 'The form could not be sent. What you filled in is still here: wait a minute and send it again.',
  notTaken: 'The form could not be sent. Ask the person who gave you this address.',
  personal: 'The form does not take personal data such as what you filled in. Remove it and send the form again.',
  test: 'This is a test of the form.',
  needed: 'Fill this in.',
  tick: 'Tick this to continue.',
  chooseOne: 'Choose one of the values.',
  number: 'Must be a number.',
  integer: 'Must be a whole number.',
  least: (value) => `Must be at least ${value}.`,
  most: (value) => `Must be at most ${value}.`,
  longer: (length) => `Must have at least ${length} characters.`,
  shorter: (length) => `Must have at most ${length} characters.`,
  fewer: (count) => `Choose at most ${count}.`,
  more: (count) => `Choose at least ${count}.`,
  email: 'Must be an email address, such as name@example.com.',
  url: 'Must be an address, such as https://example.com.',
  time: 'Must be a date or a time as the field shows it.',
  year: (first, last) => `Must have a year from ${first} to ${last}.`,
  pattern: 'Does not have the expected form.',
  trap: 'Leave this empty',
  tooLargeFiles: [
    'The files are too large',
    'Nothing was sent. A form takes 25 MB of files in all: go back, choose smaller ones, and send it again.',
  ],
  chooseFile: 'Choose a file.',
  chooseAgain: 'Choose the file again: it was not kept.',
  fileMost: (size) => `At most ${size}.`,
  fileTypes: (types) => `Takes ${types}.`,
  fileTooLarge: (size) => `The file is too large. Choose one of at most ${size}.`,
  wrongType: (types) => `This type of file is not taken. Choose one of these: ${types}.`,
  kindsOfFiles: { 'image/*': 'images', 'audio/*': 'sound', 'video/*': 'videos', 'text/*': 'texts' },
}

const ar: FormTexts = {
  send: 'إرسال',
  choose: 'اختر',
  optional: 'اختياري',
  zone: (zone) => `المنطقة الزمنية: ${zone}`,
  wrong: 'لم يُرسل شيء بعد. صحّح الحقول التالية:',
  sent: ['شكرًا لك', 'تم إرسال النموذج.'],
  another: 'املأ النموذج مرة أخرى',
  closed: ['هذا النموذج مغلق', 'لا يستقبل إدخالات في الوقت الحالي.'],
  broken: ['لا يمكن عرض هذا النموذج', 'لم يعد يناسب سير العمل الذي يبدؤه. أخبر من أعطاك هذا العنوان.'],
  notListening: ['لا أحد ينتظر الآن', 'يستقبل هذا العنوان الإدخالات أثناء الاختبار فقط. ابدأ الاختبار ثم أعد تحميل الصفحة.'],
  refused: ['غير متاح', 'لا يمكن استخدام هذا النموذج من هنا.'],
  tooMany: ['طلبات كثيرة جدًا', 'انتظر دقيقة ثم حاول مرة أخرى.'],
  tooSlow: ['وصل النموذج ببطء شديد', 'حاول مرة أخرى عبر اتصال أسرع، أو بملفات أصغر.'],
  tooLarge: ['ما أدخلته أكبر من اللازم', 'لم يُرسل شيء. ارجع واختصر ما أدخلته ثم أرسل النموذج مرة أخرى.'],
  later: 'تعذّر إرسال النموذج. ما أدخلته لا يزال هنا: انتظر دقيقة ثم أرسله مرة أخرى.',
  notTaken: 'تعذّر إرسال النموذج. أخبر من أعطاك هذا العنوان.',
  personal: 'لا يقبل هذا النموذج بيانات شخصية كالتي أدخلتها. احذفها ثم أرسل النموذج مرة أخرى.',
  test: 'هذا اختبار للنموذج.',
  needed: 'املأ هذا الحقل.',
  tick: 'ضع علامة هنا للمتابعة.',
  chooseOne: 'اختر إحدى القيم.',
  number: 'يجب أن يكون رقمًا.',
  integer: 'يجب أن يكون عددًا صحيحًا.',
  least: (value) => `يجب ألا يقل عن ${value}.`,
  most: (value) => `يجب ألا يزيد على ${value}.`,
  longer: (length) => `الحد الأدنى لعدد الأحرف: ${length}.`,
  shorter: (length) => `الحد الأقصى لعدد الأحرف: ${length}.`,
  fewer: (count) => `الحد الأقصى لعدد الاختيارات: ${count}.`,
  more: (count) => `الحد الأدنى لعدد الاختيارات: ${count}.`,
  email: 'يجب أن يكون بريدًا إلكترونيًا مثل name@example.com.',
  url: 'يجب أن يكون عنوانًا مثل https://example.com.',
  time: 'يجب أن يكون تاريخًا أو وقتًا كما يعرضه الحقل.',
  year: (first, last) => `يجب أن تكون السنة بين ${first} و${last}.`,
  pattern: 'ليس بالشكل المتوقع.',
  trap: 'اترك هذا الحقل فارغًا',
  tooLargeFiles: [
    'الملفات أكبر من اللازم',
    'لم يُرسل شيء. يستقبل النموذج ملفات مجموع حجمها 25 ميغابايت: ارجع واختر ملفات أصغر ثم أرسله مرة أخرى.',
  ],
  chooseFile: 'اختر ملفًا.',
  chooseAgain: 'اختر الملف مرة أخرى: لم يُحفظ.',
  fileMost: (size) => `الحد الأقصى ${size}.`,
  fileTypes: (types) => `الأنواع المقبولة: ${types}.`,
  fileTooLarge: (size) => `الملف أكبر من اللازم. اختر ملفًا لا يزيد حجمه على ${size}.`,
  wrongType: (types) => `هذا النوع من الملفات غير مقبول. اختر ملفًا من هذه الأنواع: ${types}.`,
  kindsOfFiles: { 'image/*': 'صور', 'audio/*': 'تسجيلات صوتية', 'video/*': 'مقاطع فيديو', 'text/*': 'نصوص' },
}

const sizeFormats = [
  [1_000_000, 'megabyte'],
  [1_000, 'kilobyte'],
  [1, 'byte'],
] as const

/** A number of bytes in words. */
export function sizeText(bytes: number, locale: FormLocale): string {
  const [unit, name] = sizeFormats.find(([least]) => bytes >= least) ?? [1, 'byte']
  // The short names of the units are unusual in Arabic.
  const unitDisplay = locale === 'ar' ? 'long' : 'short'
  const format = new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'unit', unit: name, unitDisplay, maximumFractionDigits: 1 })
  return format.format(bytes / unit)
}

/** Media types in words. */
export function typesText(types: readonly string[], locale: FormLocale): string {
  const { kindsOfFiles } = formTexts[locale]
  const words = new Set(types.map((type) => kindsOfFiles[type] ?? shortTypeOf(type)))
  return [...words].join(locale === 'ar' ? '، ' : ', ')
}

export const formTexts: Readonly<Record<FormLocale, FormTexts>> = { en, ar }
