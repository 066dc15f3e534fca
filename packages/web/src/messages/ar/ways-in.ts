import type { waysIn as english } from '#src/messages/en/ways-in.ts'

export const waysIn: typeof english = {
  phone: {
    title: 'الهاتف',
    text: 'رمز في رسالة نصية حين لا يكون تطبيق المصادقة في متناولك. يمكن لغيرك الاستيلاء على رقم، لذا فتطبيق المصادقة أو مفتاح المرور أكثر أمانًا.',
    second: 'عامل ثانٍ',
    signsIn: 'يسجّل الدخول وحده',
    endsIn: (hint) => `ينتهي بـ ${hint}`,
    none: 'لا رقم',
    add: 'أضف هاتفًا',
    replace: 'غيّر الرقم',
    remove: 'أزل الهاتف',
    removeText: 'تنتهي كل الجلسات الأخرى. يُرفض ذلك ما دام الهاتف الطريق الوحيد للدخول أو العامل الثاني الوحيد في حساب يشترطه.',
    number: 'الرقم',
    numberHint: 'مع رمز البلد.',
    use: 'الرمز',
    uses: { second: 'يُطلب مع كلمة المرور', alone: 'طريق للدخول وحده' },
    send: 'أرسل رمزًا',
    code: 'الرمز',
    codeHint: (number) => `أُرسل إلى ${number}، ويعمل عشر دقائق.`,
    confirm: 'أكّد الرقم',
    added: 'تأكد الرقم، وانتهت الجلسات الأخرى.',
  },
  linking: {
    link: (name) => `اربط ${name}`,
    text: 'تسجّل الدخول هناك مرة، ثم يمكنك الدخول هنا به.',
  },
  verification: {
    missing: (email) => `العنوان ${email} لم يؤكد بعد.`,
    resend: 'أعد إرسال الرسالة',
    sent: (email) => `الرسالة في طريقها إلى ${email}.`,
  },
}
