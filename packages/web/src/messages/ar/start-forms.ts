import type { startForms as english } from '#src/messages/en/start-forms.ts'

export const startForms: typeof english = {
  startForms: {
    form: 'نموذج',
    about: 'صفحة يملؤها كل من يعرف عنوانها دون حساب. حقولها هي حقول مخطط المدخل للمسار المنشور.',
    title: 'عنوان الصفحة',
    titleHint: 'إن تُرك فارغًا فعنوان مخطط المدخل، وإلا فالاسم.',
    description: 'النص فوق الحقول',
    button: 'نص الزر',
    buttonShown: 'إرسال',
    thanks: 'النص بعد الإرسال',
    zoneHint: 'للأوقات التي يملؤها الناس.',
    mappingHint: 'إن تُرك فارغًا أخذ الحقول كما مُلئت، وإلا فهي في ‎.body‎.',
    address: 'عنوان النموذج',
    addressHint: 'يستطيع كل من يعرفه إرسال النموذج. أعطه لمن تشاء أو اطبعه.',
    localOnly: ['لا يفتح هذا العنوان إلا هذا الحاسوب. يضبط المشغّل', 'على العنوان الذي يصل إليه الآخرون، مثل ‎https://millrace.example.com‎.'],
    copy: 'انسخ العنوان',
    open: 'افتح النموذج',
    howTo: 'أعطِ النموذج لمن يملؤه',
    ready: 'النموذج جاهز',
    broken: 'لا يمكن عرض النموذج',
  },
}
