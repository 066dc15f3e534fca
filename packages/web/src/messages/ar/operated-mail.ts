import type { operatedMail as english } from '#src/messages/en/operated-mail.ts'

export const operatedMail: typeof english = {
  title: 'البريد',
  text: 'تُرسل الرسالة التجريبية إلى عنوانك أنت، فورًا، وترى ما يجيب به خادم البريد.',
  links: 'تقود الروابط في الرسائل إلى',
  test: 'أرسل رسالة تجريبية',
  trouble: (count) => `الرسائل لا تخرج. المحاولات التي فشلت تباعًا: ${count}، وأولها`,
  sent: (to) => `قبِل خادم البريد الرسالة إلى \u2068${to}\u2069. إن لم تصل فابحث عنها في الرسائل غير المرغوبة.`,
  answer: (server) => `ما ورد عن \u2068${server}\u2069:`,
  outcomes: {
    sent: 'قبِل خادم البريد الرسالة.',
    not_configured: 'لم يُهيأ خادم بريد. اضبط MILLRACE_SMTP_URL و MILLRACE_MAIL_FROM ثم أعد تشغيل الخادم.',
    unknown_host: 'لا خادم بريد بهذا الاسم. راجع اسم المضيف في MILLRACE_SMTP_URL.',
    unreachable: 'لا يجيب هناك خادم بريد. راجع المضيف والمنفذ في MILLRACE_SMTP_URL.',
    certificate: 'شهادة خادم البريد غير موثوقة. استعمل الاسم الذي صدرت له، أو ثق بها عبر MILLRACE_SMTP_CA_FILE.',
    no_tls: 'لا يشفّر خادم البريد كما هو مضبوط. راجع smtp:// أو smtps:// والمنفذ و MILLRACE_SMTP_TLS.',
    login_refused: 'رفض خادم البريد تسجيل الدخول. راجع المستخدم وكلمة المرور في MILLRACE_SMTP_URL.',
    refused: 'رفض خادم البريد الرسالة. جوابه يقول لماذا، وكثيرًا ما يكون المرسِل MILLRACE_MAIL_FROM غير مقبول لديه.',
    timeout: 'لم يجب خادم البريد في الوقت المحدد. راجع المنفذ، وهل يسمح جدار الحماية بالاتصال.',
    failed: 'تعذّر إرسال الرسالة.',
  },
}
