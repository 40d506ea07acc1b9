"use strict";

SwaggerUIBundle({
  url: document.getElementById("reference").dataset.description,
  dom_id: "#reference",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  // The badge would send the address of this service to a host outside.
  validatorUrl: null,
});
