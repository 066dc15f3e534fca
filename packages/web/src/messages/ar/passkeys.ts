import type { passkeys as english } from '#src/messages/en/passkeys.ts'

export const passkeys: typeof english = {
  passkeys: {
    title: 'مفاتيح المرور',
    text: 'سجّل الدخول ببصمة الإصبع أو الوجه أو الرمز الذي يفتح جهازك. لا يحتاج مفتاح المرور إلى خطوة ثانية، ولا يعمل على أي موقع آخر.',
    unavailable: 'تحتاج مفاتيح المرور إلى اسم مضيف: افتح هذا التثبيت باسمه لا بعنوان رقمي.',
    use: 'استخدم مفتاح مرور',
    add: 'أضف مفتاح مرور',
    addText: 'يسأل متصفحك أين يُحفظ: على هذا الجهاز أو في مدير كلمات المرور أو على مفتاح أمان.',
    name: 'الاسم',
    nameHint: 'ما تعرفه به، كاسم الجهاز.',
    synced: 'متزامن',
    added: 'أُضيف',
    used: 'استُخدم',
    remove: 'إزالة مفتاح المرور',
    removeNamed: (name: string) => `إزالة ${name}`,
    removeText: (name: string) => `لن يسجّل ${name} الدخول بعد الآن. تنتهي جميع الجلسات الأخرى.`,
  },
}
