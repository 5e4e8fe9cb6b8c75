/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import java.util.List;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.tasks.Task;

/** Computes a fingerprint on the node that was asked, off its transport threads. */
public final class TransportFingerprintAction
        extends HandledTransportAction<FingerprintAction.Request, FingerprintAction.Response> {

    private static final int TOP_FEATURES = 20;

    private final InspectServices services;

    @Inject
    public TransportFingerprintAction(InspectServices services) {
        super(FingerprintAction.NAME, services.transport(), services.filters(), FingerprintAction.Request::new);
        this.services = services;
    }

    @Override
    protected void doExecute(
            Task task, FingerprintAction.Request request, ActionListener<FingerprintAction.Response> listener) {
        HelperWork work = services.work(task);
        ActionListener<FingerprintAction.Response> holding = work.holding(request.bytes(), listener);
        work.start(holding, () -> holding.onResponse(fingerprint(request, work)));
    }

    private FingerprintAction.Response fingerprint(FingerprintAction.Request request, HelperWork work) {
        Fingerprinter fingerprinter = RecipeChoice.reading(
                request.recipe().resolve(services.recipes(), FingerprintFields.DEFAULT_OBJECT, List.of()),
                request.text());
        SourceTexts texts = request.text().sourceTexts(fingerprinter);
        Fingerprint fingerprint = fingerprinter.fingerprint(texts, work);
        Fingerprinter sketcher = fingerprinter.sketching();
        return new FingerprintAction.Response(
                fingerprint,
                fingerprinter.recipe().segments(),
                SketchFields.of(sketcher.sketch(texts, work), sketcher.recipe().bandLayout()),
                request.explain() ? fingerprinter.heaviestFeatures(texts, TOP_FEATURES, work) : null);
    }
}
