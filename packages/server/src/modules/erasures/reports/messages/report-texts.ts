import type { ReportLocale } from '#modules/erasures/reports/report-store.ts'

export interface ReportTexts {
  readonly title: string
  readonly about: (time: string, id: string) => string
  readonly json: string
  readonly nothing: string
  readonly more: (count: number) => string
  readonly shortened: string
  readonly record: string
  readonly workflow: string
  readonly run: string
  readonly fields: string
  readonly purpose: string
  readonly legalBasis: string
  readonly retention: string
  readonly why: string
  readonly files: string
  readonly bases: Readonly<Record<string, string>>
  readonly guidance: string
}

/** A text that reads from left to right within Arabic, by the isolates of Unicode. */
const ltr = (text: string) => `\u2066${text}\u2069`

/** The words of reports about persons. */
export const reportTexts: Readonly<Record<ReportLocale, ReportTexts>> = {
  en: {
    title: 'Your personal data',
    about: (time, id) => `This report lists the records that contain your data. Made on ${time}, number ${id}.`,
    json: 'The folder “records” has the same records in full, as JSON that programs can read. Passwords, keys and other secrets are left out.',
    nothing: 'No record contains your data.',
    more: (count) => `${count} more are in the folder “records”.`,
    shortened: 'The rest is in the folder “records”.',
    record: 'Record',
    workflow: 'Workflow',
    run: 'Run',
    fields: 'Found in',
    purpose: 'Purpose',
    legalBasis: 'Legal basis',
    retention: 'Kept for',
    why: 'Kept because',
    files: 'Files',
    bases: {
      consent: 'Consent',
      contract: 'Contract',
      legal_obligation: 'Legal obligation',
      vital_interests: 'Vital interests',
      public_task: 'Public task',
      legitimate_interests: 'Legitimate interests',
    },
    guidance: `For the administrator, not for the person: delete this file before you hand the report over.

1. Review every record. A record is given as a whole where it contains a value, so it can also have data of other persons, or business secrets. Remove these.
2. Check that the values are those of this person. A name can be that of several persons.
3. Look into the files that the page of the report names: they could not be searched.
4. Add what other systems have: services to which workflows have sent data, mailboxes, backups.
5. Hand it over in a protected way, and delete your copy.
`,
  },
  ar: {
    title: 'بياناتك الشخصية',
    about: (time, id) => `يسرد هذا التقرير السجلات التي تحتوي بياناتك. أُعد في ${ltr(time)}، ورقمه ${ltr(id)}.`,
    json: `في المجلد «${ltr('records')}» السجلات نفسها كاملة بصيغة JSON التي تقرؤها البرامج. ولا تُدرج كلمات المرور والمفاتيح وغيرها من الأسرار.`,
    nothing: 'لا سجل يحتوي بياناتك.',
    more: (count) => `سجلات أخرى في المجلد «${ltr('records')}»: ${count}.`,
    shortened: `الباقي في المجلد «${ltr('records')}».`,
    record: 'السجل',
    workflow: 'مسار العمل',
    run: 'عملية التشغيل',
    fields: 'موضع البيانات',
    purpose: 'الغرض',
    legalBasis: 'الأساس النظامي',
    retention: 'مدة الحفظ',
    why: 'سبب الحفظ',
    files: 'الملفات',
    bases: {
      consent: 'الموافقة',
      contract: 'العقد',
      legal_obligation: 'التزام نظامي',
      vital_interests: 'مصالح حيوية',
      public_task: 'مهمة عامة',
      legitimate_interests: 'مصالح مشروعة',
    },
    guidance: `للمسؤول لا للشخص: احذف هذا الملف قبل تسليم التقرير.

1. راجع كل سجل. يُدرج السجل كاملًا متى احتوى إحدى القيم، فقد تكون فيه بيانات أشخاص آخرين أو أسرار عمل. أزِلها.
2. تحقق من أن القيم تخص هذا الشخص، فقد يحمل الاسم نفسه عدة أشخاص.
3. انظر في الملفات التي تسمّيها صفحة التقرير: لم يمكن البحث فيها.
4. أضف ما لدى الأنظمة الأخرى: الخدمات التي أرسلت إليها مسارات العمل بيانات، وصناديق البريد، والنسخ الاحتياطية.
5. سلّمه بطريقة محمية، ثم احذف نسختك.
`,
  },
}
