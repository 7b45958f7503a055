"""Further interface words of the twelve languages, as forum engines and mail archives write them."""

from __future__ import annotations

_KEYS = (
    "next_topic", "mark_read", "load_more", "thanks", "poll", "subject", "date", "from", "feedback", "in_reply_to",
    "follow_ups", "similar", "posted", "login_hint", "like", "permalink", "omitted", "index", "no_replies_yet", "feed",
)  # fmt: skip
_ROWS = {
    "en": "Next topic|Mark all as read|Load more|Thanked by|Poll|Subject|Date|From|Feedback|In reply to|Follow-ups|Similar topics|Posted|Log in or register to reply|Like|Permalink|posts omitted|Index|Be the first to reply|RSS",
    "de": "Nächstes Thema|Alle als gelesen markieren|Mehr laden|Bedankt von|Umfrage|Betreff|Datum|Von|Rückmeldung|Antwort auf|Folgebeiträge|Ähnliche Themen|Verfasst|Bitte anmelden oder registrieren, um zu antworten|Gefällt mir|Permalink|Beiträge ausgelassen|Übersicht|Noch keine Antwort|RSS",
    "fr": "Sujet suivant|Tout marquer comme lu|Charger plus|Remercié par|Sondage|Sujet|Date|De|Commentaires sur le site|En réponse à|Réponses suivantes|Sujets similaires|Posté|Connectez-vous pour répondre|J'aime|Lien permanent|messages omis|Index|Soyez le premier à répondre|RSS",
    "es": "Tema siguiente|Marcar todo como leído|Cargar más|Agradecido por|Encuesta|Asunto|Fecha|De|Sugerencias|En respuesta a|Seguimientos|Temas similares|Publicado|Inicia sesión para responder|Me gusta|Enlace permanente|mensajes omitidos|Índice|Sé el primero en responder|RSS",
    "it": "Argomento successivo|Segna tutto come letto|Carica altro|Ringraziato da|Sondaggio|Oggetto|Data|Da|Suggerimenti|In risposta a|Risposte|Discussioni simili|Inviato|Accedi o registrati per rispondere|Mi piace|Link permanente|messaggi omessi|Indice|Rispondi per primo|RSS",
    "pl": "Następny temat|Oznacz wszystko jako przeczytane|Załaduj więcej|Podziękowali|Ankieta|Temat|Data|Od|Uwagi|W odpowiedzi na|Odpowiedzi do wpisu|Podobne tematy|Wysłany|Zaloguj się, aby odpowiedzieć|Lubię to|Bezpośredni link|postów pominięto|Spis|Odpowiedz jako pierwszy|RSS",
    "ru": "Следующая тема|Отметить всё как прочитанное|Показать ещё|Сказали спасибо|Опрос|Тема|Дата|От|Обратная связь|В ответ на|Ответы на сообщение|Похожие темы|Добавлено|Войдите, чтобы ответить|Нравится|Постоянная ссылка|сообщений пропущено|Указатель|Ответьте первым|RSS",
    "tr": "Sonraki konu|Tümünü okundu say|Daha fazla yükle|Teşekkür edenler|Anket|Konu|Tarih|Gönderen|Geri bildirim|Yanıtlanan|Devam yanıtları|Benzer konular|Gönderim|Yanıtlamak için giriş yapın|Beğen|Kalıcı bağlantı|ileti gizlendi|Dizin|İlk yanıtı siz yazın|RSS",
    "zh": "下一主题|全部标为已读|加载更多|感谢|投票|主题|日期|发件人|意见反馈|回复|后续|相关主题|发表于|登录后才能回复|赞|永久链接|条回复已省略|索引|抢沙发|RSS",
    "ja": "次のトピック|すべて既読にする|もっと見る|お礼|アンケート|件名|日時|差出人|ご意見|返信先|返信一覧|関連トピック|投稿日時|返信するにはログインしてください|いいね|固定リンク|件のレスを省略|一覧|最初の返信を書く|RSS",
    "nl": "Volgend onderwerp|Alles als gelezen markeren|Meer laden|Bedankt door|Peiling|Onderwerp|Datum|Van|Suggesties|In antwoord op|Vervolgreacties|Vergelijkbare onderwerpen|Geplaatst|Log in om te reageren|Vind ik leuk|Vaste link|berichten weggelaten|Index|Reageer als eerste|RSS",
    "sr": "Sledeća tema|Označi sve kao pročitano|Učitaj još|Zahvalili se|Anketa|Tema|Datum|Od|Utisci|Odgovor na|Nastavci|Slične teme|Poslato|Prijavite se da biste odgovorili|Sviđa mi se|Stalna veza|poruka izostavljeno|Spisak|Odgovorite prvi|RSS",
}
EXTRA_WORDS = {code: dict(zip(_KEYS, row.split("|"), strict=True)) for code, row in _ROWS.items()}
