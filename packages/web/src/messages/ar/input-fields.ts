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
    details: 'التفاصيل',
    usesRenamed: (count) => `عدد المواضع القارئة التي تغيّر فيها الاسم: ${count}.`,
    usesPossible: (steps) => `لم يتغيّر الاسم فيما يلي، إذ ليس مؤكدًا أنه يقرؤه: ${steps}.`,
    limits: {
      minimum: 'على الأقل',
      maximum: 'على الأكثر',
      maxLength: 'عدد الأحرف على الأكثر',
      problems: {
        number: () => 'هذا ليس رقمًا.',
        count: () => 'يجب أن يكون عددًا صحيحًا أكبر من 0.',
        crossed: () => 'هذا أصغر من «على الأقل»، فلا قيمة تناسب.',
        isLong: (length) => `أكبر عدد من أحرف النص: ${length}. اختر النوع «نص طويل» لما هو أكثر.`,
        isShort: (length) => `قد يزيد النص الطويل على ${length} حرف. اختر النوع «نص» لما هو أقل.`,
      },
    },
    files: {
      kinds: 'الملفات المقبولة',
      any: 'كلها',
      pictures: 'صور',
      pdf: 'PDF',
      picturesOrPdf: 'صور وPDF',
      megabytes: 'عدد الميغابايت على الأكثر',
      notMegabytes: (most) => `يجب أن يكون رقمًا أكبر من 0 ولا يزيد على ${most}.`,
    },
    more: (keywords) => `في النص المزيد عنه: ${keywords}.`,
    beyond: 'في مخططه أكثر مما يعرضه صف.',
    allBeyond: 'للمدخلات مخطط لا تعرضه الحقول.',
    toText: 'اعرضه في النص',
    taken: (name) => `هناك حقل آخر اسمه ${name}.`,
    oneChoice: 'يلزم واحد على الأقل.',
    change: 'حقول المدخلات',
  },
}
