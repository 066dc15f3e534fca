import type { inputFields as english } from '#src/messages/en/input-fields.ts'

/** The fields of the input of a workflow. */
export const inputFields: typeof english = {
  inputFields: {
    text: 'الحقول التي تطلبها نماذج البدء ونافذة التشغيل. يُرفض البدء بما لا يوافقها.',
    kinds: {
      text: 'نص',
      lines: 'نص طويل',
      email: 'عنوان بريد',
      url: 'عنوان ويب',
      number: 'رقم',
      integer: 'عدد صحيح',
      yesNo: 'نعم أو لا',
      date: 'تاريخ',
      dateTime: 'تاريخ ووقت',
      choice: 'واحد من',
      file: 'ملف',
    },
    explanation: 'الشرح',
    atMost: (length) => `${length} حرف على الأكثر.`,
    more: (keywords) => `في النص المزيد عنه: ${keywords}.`,
    beyond: 'في مخططه أكثر مما يعرضه صف.',
    allBeyond: 'للمدخلات مخطط لا تعرضه الحقول.',
    toText: 'اعرضه في النص',
    taken: (name) => `هناك حقل آخر اسمه ${name}.`,
    oneChoice: 'يلزم واحد على الأقل.',
    change: 'حقول المدخلات',
  },
}
