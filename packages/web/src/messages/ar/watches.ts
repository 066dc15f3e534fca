import type { watches as english } from '#src/messages/en/watches.ts'

export const watches: typeof english = {
  watches: {
    watch: 'مراقبة مصدر',
    source: 'يراقب',
    sources: { feed: 'خلاصة أخبار', mailbox: 'صندوق بريد', rows: 'صفوف جدول', objects: 'ملفات في S3' },
    url: 'عنوان الخلاصة',
    connection: 'الاتصال',
    noConnection: 'لا اتصال من هذا النوع بعد. أضف واحدًا في الاتصالات.',
    mailbox: 'المجلد',
    table: 'الجدول',
    column: 'العمود المتزايد',
    columnHint: 'كرقم متسلسل أو وقت الإدراج.',
    key: 'العمود الذي يميّز الصف',
    keyHint: 'لازم إن أمكن أن تتشارك صفوف قيمة العمود المتزايد.',
    prefix: 'بداية الأسماء',
    every: 'ينظر كل',
    first: 'ابدأ أيضًا لما هو موجود',
    firstHint: 'وإلا فلما يأتي من الآن فقط.',
    mappingHint: 'إن تُرك فارغًا أخذ المسار { watch, item }.',
    looked: 'آخر نظرة',
    next: 'النظرة التالية',
    lookFailed: (count) => (count <= 1 ? 'تعثرت آخر نظرة' : `تعثرت آخر ${count} نظرات`),
  },
}
