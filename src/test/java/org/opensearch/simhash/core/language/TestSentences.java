/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.util.List;

/** Short texts in several languages, of some forty to a hundred letters, written for these tests. */
final class TestSentences {

    static final List<String> ALL = List.of(
            "The city council approved the new tram line on Monday",
            "Bake the bread at 230 degrees for ten minutes, then turn the oven down",
            "Nobody had looked below the water line since the war, the engineer said",
            "The ferry leaves at seven, and whoever comes late waits until noon",
            "Install the plugin on each node of the cluster and restart it",
            "Our shop will be closed on the first of May and opens again on Tuesday",
            "Der Stadtrat hat am Montag die neue Straßenbahnlinie beschlossen",
            "Die Fähre legt um sieben ab, und wer zu spät kommt, wartet bis zum Mittag",
            "Das Geschäft bleibt am ersten Mai geschlossen und öffnet wieder am Dienstag",
            "Installieren Sie das Plugin auf jedem Knoten und starten Sie ihn neu",
            "Le conseil municipal a approuvé lundi la nouvelle ligne de tramway",
            "Le bac part à sept heures, et les retardataires attendent jusqu'à midi",
            "Le magasin sera fermé le premier mai et rouvrira ses portes mardi matin",
            "El ayuntamiento aprobó el lunes la nueva línea de tranvía hasta la universidad",
            "El transbordador sale a las siete, y quien llega tarde espera hasta el mediodía",
            "La tienda estará cerrada el primero de mayo y abrirá de nuevo el martes",
            "Il consiglio comunale ha approvato lunedì la nuova linea del tram",
            "Il negozio resterà chiuso il primo maggio e riaprirà martedì mattina",
            "A câmara municipal aprovou na segunda-feira a nova linha do elétrico",
            "De gemeenteraad heeft maandag de nieuwe tramlijn naar de universiteit goedgekeurd",
            "Kommunfullmäktige godkände på måndagen den nya spårvägslinjen till universitetet",
            "Byrådet godkendte mandag den nye letbanelinje til universitetet og havnen",
            "Kaupunginvaltuusto hyväksyi maanantaina uuden raitiovaunulinjan yliopistolle",
            "Rada miasta zatwierdziła w poniedziałek nową linię tramwajową do uniwersytetu",
            "Zastupitelstvo města schválilo v pondělí novou tramvajovou linku k univerzitě",
            "Belediye meclisi pazartesi günü üniversiteye giden yeni tramvay hattını onayladı",
            "Hội đồng thành phố đã phê duyệt tuyến xe điện mới vào hôm thứ Hai vừa qua",
            "Городской совет одобрил в понедельник новую трамвайную линию до университета",
            "Магазин будет закрыт первого мая и откроется снова во вторник утром",
            "Міська рада схвалила в понеділок нову трамвайну лінію до університету",
            "Общинският съвет одобри в понеделник новата трамвайна линия до университета",
            "وافق مجلس المدينة يوم الاثنين على خط الترام الجديد الذي يصل إلى الجامعة",
            "شورای شهر روز دوشنبه خط تراموای جدید به سوی دانشگاه را تصویب کرد",
            "नगर परिषद ने सोमवार को विश्वविद्यालय तक नई ट्राम लाइन को मंजूरी दी",
            "시의회는 월요일에 대학교까지 가는 새 전차 노선을 승인했다",
            "Το δημοτικό συμβούλιο ενέκρινε τη Δευτέρα τη νέα γραμμή του τραμ");

    private TestSentences() {}
}
